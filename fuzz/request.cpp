// libFuzzer target: any bytes as an HTTP request must give a response that is no 5xx, never a crash. Bytes
// are read by Boost.Beast's parser as in a connection, and go the whole way through the router to the engine,
// with a small model. Run by scripts/fuzz.
#include <boost/beast/http.hpp>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "ask/question.h"
#include "scfe/error.h"
#include "scfe/utf8.h"
#include "server/net/head.h"
#include "server/openapi.h"
#include "server/router.h"
#include "server/text_file.h"

namespace {

using namespace scfe;

// Two numbers and a category; the class is which of the numbers is larger.
Bundle small_bundle() {
  Table table;
  table.source = "training";
  table.columns = {"a", "b", "c", "label"};
  for (int i = 0; i < 60; ++i) {
    const int a = i * 7 % 20, b = i * 11 % 20;
    for (const std::string& cell : {std::to_string(a), std::to_string(b),
                                    std::string(i % 3 == 0   ? "x"
                                                : i % 3 == 1 ? "y"
                                                             : "z"),
                                    std::string(a > b ? "yes" : "no")})
      table.add(cell);
  }
  Inference how;
  how.label = "label";
  const server::TextFile model(
      "small.json",
      R"({"format": "scfe-dense", "version": 1, "classes": ["no", "yes"], "layers": [{"activation": "sigmoid",)"
      R"( "weight": [[1, -1, 0.1, 0, -0.1]], "bias": [0]}]})");
  return fit_bundle(read_model_file(model.path()), infer_schema(table, how), table, {});
}

server::Service& service() {
  static server::Service one;
  static const bool ready = [] {
    one.models.add("m", small_bundle(), {});
    one.limits.rows = 20;
    one.limits.answers = 3;
    one.openapi = server::openapi_document(one);
    return true;
  }();
  (void)ready;
  return one;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace http = boost::beast::http;
  http::request_parser<http::string_body> parser;
  parser.eager(true);
  parser.header_limit(16 << 10);
  parser.body_limit(1 << 20);
  boost::beast::error_code error;
  parser.put(boost::asio::buffer(data, size), error);
  if (!parser.is_header_done()) return 0;
  server::Admitted admitted;
  server::Request request;
  try {
    request = server::head_of(parser.get());
    request.headers["host"] = "localhost";  // else most inputs end at the door
    admitted = server::admit(service(), request);
  } catch (const server::Refusal&) {
    return 0;
  }
  if (admitted.refused) return 0;
  request.body = parser.get().body();
  const server::Response response = server::answer(service(), admitted, request, {}, 0.2);
  if (response.status >= 500 && response.status != 503) std::abort();
  if (response.type.ends_with("json") && !is_utf8(response.body)) std::abort();
  return 0;
}
