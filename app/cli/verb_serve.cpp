// scfe serve: fitted explainers over HTTP, with a page for people.
#include <cstdio>

#include "cli/demo_data.h"
#include "cli/interrupt.h"
#include "cli/verb.h"
#include "scfe/error.h"
#include "scfe/text.h"
#include "server/server.h"

namespace scfe::app {
namespace {

std::size_t whole_of(const Arguments& arguments, const std::string& name, std::size_t otherwise,
                     double greatest) {
  if (!arguments.has(name)) return otherwise;
  const std::optional<double> value = parse_number(arguments.text(name));
  if (!value || *value < 0 || *value > greatest || *value != static_cast<double>(static_cast<long>(*value)))
    throw Error("--" + name, "a whole number from 0 to " + number_text(greatest),
                "'" + arguments.text(name) + "'");
  return static_cast<std::size_t>(*value);
}

// German Credit without the held-out rows, which are the page's examples.
void add_demo(server::Models& models, const Arguments& arguments) {
  const Demo& demo = demo_of("");
  const std::string name(demo.name), folder = data_folder(arguments) + "/";
  const Split parts = split(read_csv(folder + name + ".csv"));
  const Schema schema = read_schema(folder + name + ".schema.json");
  Options options;
  options.target = demo.target;
  options.max_changes = demo.max_changes;
  models.add(
      name, fit_bundle(read_model_file(folder + "models/" + name + ".onnx"), schema, parts.training, options),
      {std::string(demo.one), std::string(demo.many)});
  std::vector<std::size_t> numbers;
  for (std::size_t row = 0; row < parts.held_out.rows(); ++row) numbers.push_back(row * held_out_every + 1);
  models.all().back()->set_examples(parts.held_out, numbers);
}

constexpr double time_to_end = 5;  // seconds, for searches at work to end and jobs to be handed back

int run_serve(const Arguments& arguments) {
  server::Service service;
  service.limits = server::limits_from(arguments);
  if (arguments.has("token-file")) service.access.token = server::read_token(arguments.text("token-file"));
  service.access.hosts = arguments.all("host");
  server::Settings settings;
  settings.address = arguments.text_or("address", settings.address);
  settings.port = static_cast<unsigned short>(whole_of(arguments, "port", settings.port, 65535));
  settings.workers = whole_of(arguments, "threads", 0, 1024);
  service.threads = static_cast<int>(settings.workers);
  settings.jobs = arguments.text_or("jobs", "");
  settings.stop = Interrupts::token();
  Interrupts::allow(service.limits.grace_seconds + time_to_end);
  if (!arguments.has("demo") && arguments.files.empty()) throw Error("files", "E.scfe (or --demo)", "none");
  if (arguments.has("demo")) add_demo(service.models, arguments);
  for (const std::string& file : arguments.files) service.models.add(file);
  for (const std::string& file : arguments.all("examples")) service.models.add_examples(file);
  server::serve(service, settings, [](const std::string& address) {
    std::printf("Listening on %s (Ctrl-C stops)\n", address.c_str());
    (void)std::fflush(stdout);
  });
  std::printf("Stopped.\n");
  return 0;
}

}  // namespace

Verb serve_verb() {
  std::vector<Flag> flags = {
      {"demo", "", "serve the built-in German Credit data", group::server},
      {"address", "IP", "where to listen; any but loopback needs --token-file [127.0.0.1]", group::server},
      {"port", "N", "0: any free one [8377]", group::server},
      {"token-file", "FILE", "its first line is the token that every request must carry", group::server},
      {"host", "NAME", "a name under which it is reached, besides addresses and localhost; can be repeated",
       group::server, true},
      {"jobs", "FOLDER",
       "batch jobs are kept there and go on after a restart; without it they end with the server",
       group::server},
      {"examples", "CSV", "rows that the page offers to begin with; can be repeated", group::server, true},
      {"threads", "N", "threads that answer; 0: one for each core [0]", group::server},
      {"data-dir", "FOLDER", "with --demo: where the built-in data lie", group::server}};
  for (const Flag& flag : server::serving_limit_flags()) flags.push_back(flag);
  return {"serve",
          "E.scfe [more.scfe ...]",
          "Serve explainers over HTTP, with a page for people",
          flags,
          false,
          run_serve,
          "The API is described in docs/http.md and on /openapi.json."};
}

}  // namespace scfe::app
