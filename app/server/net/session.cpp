#include "server/net/session.h"

#include <sys/socket.h>

#include <array>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <memory>
#include <optional>

#include "server/net/head.h"

namespace scfe::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Clock = std::chrono::steady_clock;
using Parser = http::request_parser<http::string_body>;

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
}
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Adds one to a counter while it lives.
class Counted {
 public:
  explicit Counted(std::atomic<std::size_t>& counter, std::size_t by = 1) : counter_(counter), by_(by) {
    counter_ += by_;
  }
  ~Counted() { counter_ -= by_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<std::size_t>& counter_;
  std::size_t by_;
};

// Ends what a connection waits for once the time is up. Unlike the stream's own timeout it leaves the
// connection open, so that the client can be told.
class Deadline {
 public:
  Deadline(beast::tcp_stream& stream, double seconds) : timer_(stream.get_executor(), milliseconds(seconds)) {
    stream.expires_never();
    timer_.async_wait([state = state_, &stream](beast::error_code error) {
      if (error || state->over) return;
      state->passed = true;
      stream.cancel();
    });
  }
  ~Deadline() { state_->over = true; }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  // The error of an operation, which is a timeout if this ended it.
  beast::error_code cause(const beast::error_code& error) const {
    return error && state_->passed ? beast::error_code(beast::error::timeout) : error;
  }

 private:
  struct State {
    bool over = false, passed = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
  asio::steady_timer timer_;
};

// A request is answered here, or by a thread of the engine; `done` is called with the response, in its own
// time, by that thread.
using Done = std::function<void(Response)>;
struct Work {
  Request request;
  Admitted admitted;
  std::stop_source stop;
  Clock::time_point arrived = Clock::now();
};

void answer_there(Service& service, const std::shared_ptr<Work>& work, const Done& done) {
  Lane& lane = work->admitted.route->place == Place::quick ? *service.quick : *service.engine;
  const bool taken = lane.submit([&service, work, done] {
    const double left = service.limits.request_seconds - since(work->arrived);
    if (work->stop.stop_requested()) return done(problem(503, "the request was cancelled"));
    if (left <= 0) return done(problem(503, "the request waited too long in the queue"));
    done(answer(service, work->admitted, work->request, work->stop.get_token(), left));
  });
  if (!taken) done(problem(503, "the queue is full; try again"));
}

// Ends the work if the client closes its side. Data that arrive are the next request and stay where they are.
void watch_client(beast::tcp_stream& stream, const std::shared_ptr<Work>& work, Traffic& traffic) {
  const int handle = stream.socket().native_handle();
  stream.socket().async_wait(asio::socket_base::wait_read, [work, handle, &traffic](beast::error_code error) {
    char byte = 0;
    if (error || ::recv(handle, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0) return;
    ++traffic.service.metrics.cancelled;
    work->stop.request_stop();
  });
}

asio::awaitable<Response> answered(beast::tcp_stream& stream, std::shared_ptr<Work> work, Traffic& traffic) {
  if (work->admitted.route->place == Place::here)
    co_return answer(traffic.service, work->admitted, work->request, work->stop.get_token(),
                     traffic.service.limits.request_seconds);
  const std::stop_callback ended(traffic.stop.get_token(), [work] { work->stop.request_stop(); });
  watch_client(stream, work, traffic);
  const auto executor = co_await asio::this_coro::executor;
  auto start = [&traffic, work, executor](auto handler) {
    const auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    answer_there(traffic.service, work, [shared, executor](Response response) {
      const auto kept = std::make_shared<Response>(std::move(response));
      asio::post(executor, [shared, kept] { std::move (*shared)(std::move(*kept)); });
    });
  };
  Response response = co_await asio::async_initiate<decltype(asio::use_awaitable), void(Response)>(
      start, asio::use_awaitable);
  beast::error_code ignored;
  stream.socket().cancel(ignored);  // the watch
  co_return response;
}

template <class Message>
void set_headers(Message& message, const Response& response, bool keep_alive) {
  message.set(http::field::server, "scfe");
  if (!response.type.empty()) message.set(http::field::content_type, response.type);
  message.set("X-Content-Type-Options", "nosniff");
  message.set("Referrer-Policy", "no-referrer");
  message.set("Cross-Origin-Resource-Policy", "same-origin");
  message.set(http::field::cache_control, "no-store");
  message.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox");
  for (const auto& [name, value] : response.headers) message.set(name, value);
  message.keep_alive(keep_alive);
}

asio::awaitable<void> write(beast::tcp_stream& stream, const Response& response, bool head, bool keep_alive,
                            const Limits& limits) {
  stream.expires_after(milliseconds(limits.body_seconds));
  const auto status = static_cast<http::status>(response.status);
  if (!response.file.empty()) {
    beast::error_code error;
    http::file_body::value_type file;
    file.open(response.file.c_str(), beast::file_mode::scan, error);
    if (error) {
      co_await write(stream, problem(404, "the answers are gone"), head, keep_alive, limits);
      co_return;
    }
    const std::uint64_t size = file.size();
    if (!head) {
      http::response<http::file_body> message(std::piecewise_construct, std::make_tuple(std::move(file)),
                                              std::make_tuple(status, 11U));
      set_headers(message, response, keep_alive);
      message.prepare_payload();
      http::response_serializer<http::file_body> serializer(message);
      while (!serializer.is_done()) {  // a large file may take longer than the deadline of one piece
        stream.expires_after(milliseconds(limits.body_seconds));
        co_await http::async_write_some(stream, serializer, asio::use_awaitable);
      }
      co_return;
    }
    http::response<http::empty_body> message(status, 11);
    set_headers(message, response, keep_alive);
    message.content_length(size);
    co_await http::async_write(stream, message, asio::use_awaitable);
    co_return;
  }
  http::response<http::string_body> message(status, 11);
  set_headers(message, response, keep_alive);
  if (response.status != 204) message.content_length(response.body.size());
  if (!head) message.body() = response.body;
  http::response_serializer<http::string_body> serializer(message);
  if (head) {
    serializer.split(true);
    co_await http::async_write_header(stream, serializer, asio::use_awaitable);
  } else {
    co_await http::async_write(stream, serializer, asio::use_awaitable);
  }
}

int status_of(const beast::error_code& error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  if (error == http::error::body_limit) return 413;
  if (error == beast::error::timeout) return 408;
  return 400;
}

std::string detail_of(int status, const beast::error_code& error, const Limits& limits) {
  if (status == 431) return "headers: expected at most " + std::to_string(limits.header_bytes) + " bytes";
  if (status == 413) return "body: larger than this route takes";
  if (status == 408) return "the request did not arrive in time";
  return "not a valid request: " + error.message();
}

// True where nothing can be said any more: the client is gone, or says nothing.
bool is_over(const beast::error_code& error) {
  return error == http::error::end_of_stream || error == asio::error::eof ||
         error == asio::error::connection_reset || error == asio::error::operation_aborted ||
         error == http::error::partial_message || error == asio::error::broken_pipe;
}

// Reads the body of an admitted request. A response is the reason why it was not read.
asio::awaitable<std::optional<Response>> read_body(beast::tcp_stream& stream, beast::flat_buffer& buffer,
                                                   Parser& parser, const Limits& limits, bool expects) {
  if (expects) {
    stream.expires_after(milliseconds(limits.body_seconds));
    http::response<http::empty_body> go_on(http::status::continue_, 11);
    co_await http::async_write(stream, go_on, asio::use_awaitable);
  }
  beast::error_code error;
  const Deadline deadline(stream, limits.body_seconds);
  co_await http::async_read(stream, buffer, parser, asio::redirect_error(asio::use_awaitable, error));
  error = deadline.cause(error);
  if (!error) co_return std::nullopt;
  if (is_over(error)) throw beast::system_error(error);
  const int status = status_of(error);
  co_return problem(status, detail_of(status, error, limits));
}

// Reads the head of the next request. A response is the reason why there is none; nothing if the client left.
struct NoHead {
  std::optional<Response> response;
};
asio::awaitable<std::optional<NoHead>> read_head(beast::tcp_stream& stream, beast::flat_buffer& buffer,
                                                 Parser& parser, const Limits& limits) {
  parser.header_limit(static_cast<std::uint32_t>(limits.header_bytes));
  parser.body_limit(boost::none);
  beast::error_code error;
  const Deadline deadline(stream, limits.header_seconds);
  co_await http::async_read_header(stream, buffer, parser, asio::redirect_error(asio::use_awaitable, error));
  error = deadline.cause(error);
  if (!error) co_return std::nullopt;
  if (is_over(error)) co_return NoHead{};
  const int status = status_of(error);
  co_return NoHead{problem(status, detail_of(status, error, limits))};
}

// Why a body of the announced size is not read.
std::optional<Response> refused_size(std::uint64_t announced, std::size_t most, const Traffic& traffic) {
  if (most == 0) return std::nullopt;
  if (announced > most)
    return problem(
        413, "body: expected at most " + std::to_string(most) + " bytes, got " + std::to_string(announced));
  if (traffic.flight_bytes + announced > traffic.service.limits.flight_bytes)
    return problem(503, "too many bodies at once; try again");
  return std::nullopt;
}

// One request. Returns false if the connection ends.
asio::awaitable<bool> serve_one(beast::tcp_stream& stream, beast::flat_buffer& buffer, Traffic& traffic) {
  Service& service = traffic.service;
  const Limits& limits = service.limits;
  if (buffer.size() == 0) {  // the time between two requests
    stream.expires_after(milliseconds(limits.idle_seconds));
    const std::size_t size = co_await stream.async_read_some(buffer.prepare(4096), asio::use_awaitable);
    buffer.commit(size);
  }
  const Counted working(traffic.at_work);
  Parser parser;
  if (const std::optional<NoHead> none = co_await read_head(stream, buffer, parser, limits)) {
    if (!none->response) co_return false;
    co_await write(stream, *none->response, false, false, limits);
    service.metrics.count("unread", none->response->status, 0);
    co_return false;
  }
  const auto work = std::make_shared<Work>();
  std::optional<Response> response;
  std::optional<Counted> in_flight;
  try {
    work->request = head_of(parser.get());
    work->admitted = admit(service, work->request);
    response = work->admitted.refused;
  } catch (const Refusal& refusal) {
    response = problem(refusal.status, refusal.detail);
  }
  const std::size_t most = work->admitted.most_bytes;
  const std::uint64_t announced = parser.content_length().value_or(parser.chunked() ? most : 0);
  if (!response) response = refused_size(announced, most, traffic);
  bool body_read = announced == 0 && parser.get().count(http::field::transfer_encoding) == 0;
  if (!response && most > 0) {
    in_flight.emplace(traffic.flight_bytes, announced);
    parser.body_limit(most);
    const bool expects = beast::iequals(parser.get()[http::field::expect], "100-continue");
    response = co_await read_body(stream, buffer, parser, limits, expects);
    body_read = !response;
  }
  work->arrived = Clock::now();
  if (!response) {
    work->request.body = std::move(parser.get().body());
    response = co_await answered(stream, work, traffic);
  }
  const std::string route =
      work->admitted.route == nullptr ? "none" : std::string(work->admitted.route->pattern);
  service.metrics.count(route, response->status, since(work->arrived));
  // Behind a body that was not read the next request cannot be found.
  const bool keep = parser.get().keep_alive() && body_read && !service.stopping && !response->close;
  co_await write(stream, *response, work->request.method == "HEAD", keep, limits);
  co_return keep;
}

// Takes what a refused client still sends, for a short while: if the connection were closed at once, the
// client would see a reset and not the reason.
asio::awaitable<void> drain(beast::tcp_stream& stream) {
  beast::error_code error;
  stream.socket().shutdown(asio::ip::tcp::socket::shutdown_send, error);
  std::array<char, 16384> rest{};
  const Deadline deadline(stream, 2);
  while (!error)
    co_await stream.async_read_some(asio::buffer(rest), asio::redirect_error(asio::use_awaitable, error));
}

}  // namespace

asio::awaitable<void> session(beast::tcp_stream stream, Traffic& traffic) {
  const Counted open(traffic.connections);
  traffic.service.metrics.connections = traffic.connections.load();
  try {
    beast::error_code ignored;
    stream.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
    beast::flat_buffer buffer(traffic.service.limits.header_bytes + (64 << 10));
    while (co_await serve_one(stream, buffer, traffic)) {
    }
    co_await drain(stream);
  } catch (const boost::system::system_error&) {  // the client is gone, or too slow
  }
  traffic.service.metrics.connections = traffic.connections.load() - 1;
}

asio::awaitable<void> refuse(beast::tcp_stream stream, Traffic& traffic) {
  ++traffic.service.metrics.refused_connections;
  try {
    Limits quick = traffic.service.limits;
    quick.body_seconds = 1;
    co_await write(stream, problem(503, "all connections are taken; try again"), false, false, quick);
  } catch (const boost::system::system_error&) {
  }
}

}  // namespace scfe::server
