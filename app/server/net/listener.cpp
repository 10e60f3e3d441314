// Accepts connections, and stops in order.
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <filesystem>
#include <thread>

#include "scfe/error.h"
#include "server/net/session.h"
#include "server/openapi.h"
#include "server/server.h"

namespace scfe::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;

// Each connection takes a file, and so does each file that is sent.
void allow_open_files(std::size_t connections) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const auto wanted = static_cast<rlim_t>(2 * connections + 256);
  limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, wanted));
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

// Throws Error if it is no address, or one that others can reach and there is no token.
asio::ip::address address_of(const Service& service, const Settings& settings) {
  beast::error_code error;
  asio::ip::address address = asio::ip::make_address(settings.address, error);
  if (error) throw Error("--address", "an IP address", "'" + settings.address + "'");
  if (!is_loopback(settings.address) && service.access.token.empty())
    throw Error("--address", "a loopback address, or --token-file beside it", "'" + settings.address + "'");
  return address;
}

tcp::acceptor open_acceptor(asio::io_context& io, const asio::ip::address& address,
                            const Settings& settings) {
  beast::error_code error;
  tcp::acceptor acceptor(io);
  const tcp::endpoint endpoint(address, settings.port);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    throw Error("--address", "an address and --port that are free",
                "'" + settings.address + "', port " + std::to_string(settings.port) + ": " + error.message());
  return acceptor;
}

asio::awaitable<void> accept_all(tcp::acceptor& acceptor, Traffic& traffic) {
  while (acceptor.is_open()) {
    beast::error_code error;
    tcp::socket socket = co_await acceptor.async_accept(asio::make_strand(acceptor.get_executor()),
                                                        asio::redirect_error(asio::use_awaitable, error));
    if (error == asio::error::operation_aborted) co_return;
    if (error) {  // no file left, say: the next one may find some
      asio::steady_timer pause(acceptor.get_executor(), std::chrono::milliseconds(50));
      co_await pause.async_wait(asio::use_awaitable);
      continue;
    }
    const auto executor = socket.get_executor();
    const bool full = traffic.connections >= traffic.service.limits.connections;
    beast::tcp_stream stream(std::move(socket));
    asio::co_spawn(executor, full ? refuse(std::move(stream), traffic) : session(std::move(stream), traffic),
                   asio::detached);
  }
}

// Requests at work get the time of grace, then their search ends; after that nobody waits any longer.
asio::awaitable<void> stop_in_order(asio::io_context& io, tcp::acceptor& acceptor, Traffic& traffic,
                                    std::stop_token stop) {
  asio::steady_timer told(io, asio::steady_timer::time_point::max());
  {
    const std::stop_callback wake(stop, [&] { asio::post(io, [&] { told.cancel(); }); });
    beast::error_code cancelled;
    co_await told.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  }
  Service& service = traffic.service;
  service.stopping = true;
  beast::error_code ignored;
  acceptor.close(ignored);
  service.jobs->stop();
  asio::steady_timer timer(io);
  const auto idle_within = [&](double seconds) -> asio::awaitable<bool> {
    for (double waited = 0; waited < seconds && traffic.at_work > 0; waited += 0.02) {
      timer.expires_after(std::chrono::milliseconds(20));
      co_await timer.async_wait(asio::use_awaitable);
    }
    co_return traffic.at_work == 0;
  };
  if (!co_await idle_within(service.limits.grace_seconds)) {
    traffic.stop.request_stop();
    (void)co_await idle_within(2);
  }
  io.stop();
}

std::string temporary_folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "scfe-jobs-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw Error("--jobs", "a folder for batch jobs", "none");
  return pattern;
}

void start_engine(Service& service, const Settings& settings) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  service.engine =
      std::make_unique<Lane>(settings.workers > 0 ? settings.workers : cores, service.limits.queue);
  service.quick = std::make_unique<Lane>(1, service.limits.queue);
  const bool keep = !settings.jobs.empty();
  service.jobs = std::make_unique<Jobs>(keep ? settings.jobs : temporary_folder(), keep, service.models,
                                        service.limits, service.threads);
  service.openapi = openapi_document(service);
}

}  // namespace

void serve(Service& service, const Settings& settings,
           const std::function<void(const std::string& address)>& listening) {
  const asio::ip::address address = address_of(service, settings);
  allow_open_files(service.limits.connections);
  Traffic traffic{service};  // before io: what is left of connections ends with that
  asio::io_context io;
  tcp::acceptor acceptor = open_acceptor(io, address, settings);
  start_engine(service, settings);
  asio::co_spawn(io, accept_all(acceptor, traffic), asio::detached);
  asio::co_spawn(io, stop_in_order(io, acceptor, traffic, settings.stop), asio::detached);
  const tcp::endpoint local = acceptor.local_endpoint();
  const std::string host =
      local.address().is_v6() ? "[" + local.address().to_string() + "]" : local.address().to_string();
  listening("http://" + host + ":" + std::to_string(local.port()) + "/");
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < settings.io_threads; ++i) threads.emplace_back([&io] { io.run(); });
  io.run();
  for (std::thread& thread : threads) thread.join();
  traffic.stop.request_stop();
  service.jobs->stop();
  service.engine->close();
  service.quick->close();
  service.jobs.reset();
}

}  // namespace scfe::server
