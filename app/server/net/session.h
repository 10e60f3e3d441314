// One connection: requests one after the other, each with a deadline for every step.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <stop_token>

#include "server/router.h"

namespace scfe::server {

// What all connections share.
struct Traffic {
  Service& service;
  std::atomic<std::size_t> connections = 0;   // open ones
  std::atomic<std::size_t> at_work = 0;       // requests whose response is not written yet
  std::atomic<std::size_t> flight_bytes = 0;  // of bodies
  std::stop_source stop = {};                 // ends requests at work
};

boost::asio::awaitable<void> session(boost::beast::tcp_stream stream, Traffic& traffic);
// Says that there are too many connections, and closes.
boost::asio::awaitable<void> refuse(boost::beast::tcp_stream stream, Traffic& traffic);

}  // namespace scfe::server
