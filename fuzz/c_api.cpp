// libFuzzer target: the C interface with any settings, texts, bytes and Arrow streams. Every call has to end
// with success or with an error text, and nothing may be read beyond what was given. Run by scripts/fuzz.
#include <cstdlib>

#include "fuzz/arrow_bytes.h"
#include "fuzz/fuzz.h"

namespace {

constexpr char model_text[] =
    R"({"format": "scfe-dense", "version": 1, "classes": ["no", "yes"], "layers": [{"activation": "sigmoid",)"
    R"( "weight": [[1, -1, 0.1, 0, -0.1]], "bias": [0]}]})";
constexpr char schema_text[] =
    R"({"format": "scfe-schema", "version": 1, "label": {"column": "label", "classes": ["no", "yes"]}, "features": [)"
    R"({"name": "a", "type": "integer", "range": [0, 20]}, {"name": "b", "type": "integer", "range": [0, 20]},)"
    R"({"name": "c", "type": "categorical", "levels": ["x", "y", "z"]}]})";

// The columns a, b, c and label of sixty rows, in one batch.
class Training {
 public:
  Training() {
    for (int i = 0; i < rows; ++i) {
      a_.push_back(i * 7 % 20);
      b_.push_back(i * 11 % 20);
      c_.push_back(i % 3);
      label_.push_back(a_.back() > b_.back() ? 1 : 0);
    }
  }
  ArrowArrayStream stream() {
    return {[](ArrowArrayStream* s, ArrowSchema* out) { return of(s).give_schema(out); },
            [](ArrowArrayStream* s, ArrowArray* out) { return of(s).give_rows(out); },
            [](ArrowArrayStream*) -> const char* { return nullptr; },
            [](ArrowArrayStream* s) { s->release = nullptr; }, this};
  }

 private:
  static constexpr int rows = 60;
  static Training& of(ArrowArrayStream* stream) { return *static_cast<Training*>(stream->private_data); }
  int give_schema(ArrowSchema* out) {
    static const char* const names[] = {"a", "b", "c", "label"};
    for (std::size_t i = 0; i < 4; ++i) {
      const bool text = i >= 2;
      dictionaries_[i] = {"u", "", nullptr, 0, 0, nullptr, nullptr, done<ArrowSchema>, nullptr};
      schemas_[i] = {text ? "i" : "g",  names[i], nullptr, 0, 0, nullptr, text ? &dictionaries_[i] : nullptr,
                     done<ArrowSchema>, nullptr};
      schema_list_[i] = &schemas_[i];
    }
    *out = {"+s", "", nullptr, 0, 4, schema_list_, nullptr, done<ArrowSchema>, nullptr};
    return 0;
  }
  int give_rows(ArrowArray* out) {
    *out = {};
    if (given_) return 0;
    given_ = true;
    const void* values[] = {a_.data(), b_.data(), c_.data(), label_.data()};
    static const std::int32_t c_offsets[] = {0, 1, 2, 3}, label_offsets[] = {0, 2, 5};
    static const void* texts[2][3] = {{nullptr, c_offsets, "xyz"}, {nullptr, label_offsets, "noyes"}};
    for (std::size_t i = 0; i < 4; ++i) {
      buffers_[i][0] = nullptr;
      buffers_[i][1] = values[i];
      if (i >= 2)
        levels_[i] = {i == 2 ? 3 : 2, 0, 0, 3, 0, texts[i - 2], nullptr, nullptr, done<ArrowArray>, nullptr};
      arrays_[i] = {
          rows, 0, 0, 2, 0, buffers_[i], nullptr, i >= 2 ? &levels_[i] : nullptr, done<ArrowArray>, nullptr};
      array_list_[i] = &arrays_[i];
    }
    *out = {rows, 0, 0, 0, 4, nullptr, array_list_, nullptr, done<ArrowArray>, nullptr};
    return 0;
  }
  template <class Struct>
  static void done(Struct* given) {
    given->release = nullptr;
  }

  std::vector<double> a_, b_;
  std::vector<std::int32_t> c_, label_;
  ArrowSchema schemas_[4], dictionaries_[4], *schema_list_[4];
  ArrowArray arrays_[4], levels_[4], *array_list_[4];
  const void* buffers_[4][2];
  bool given_ = false;
};

// A call that fails has to say why, and bad input is no failure of the library.
bool went_well(int status) {
  if (status == SCFE_FAILED || (status != SCFE_OK && *scfe_error() == '\0')) std::abort();
  return status == SCFE_OK;
}

scfe_model* small_model() {
  static scfe_model* const model = [] {
    scfe_model* made = nullptr;
    if (scfe_model_from_bytes(model_text, sizeof model_text - 1, "small.json", &made) != SCFE_OK)
      std::abort();
    return made;
  }();
  return model;
}

const scfe_explainer* small_explainer() {
  static const scfe_explainer* const explainer = [] {
    scfe_settings* settings = scfe_settings_new();
    if (!went_well(scfe_settings_text(settings, "schema", schema_text))) std::abort();
    Training training;
    ArrowArrayStream stream = training.stream();
    scfe_explainer* made = nullptr;
    if (!went_well(scfe_fit(small_model(), &stream, settings, &made))) std::abort();
    scfe_settings_free(settings);
    return made;
  }();
  return explainer;
}

void read_and_free(scfe_bytes* bytes) {
  if (scfe_bytes_data(bytes)[scfe_bytes_size(bytes)] != '\0') std::abort();
  scfe_bytes_free(bytes);
}

void drain(ArrowArrayStream& stream) {
  ArrowSchema schema;
  ArrowArray array;
  if (stream.get_schema(&stream, &schema) != 0) std::abort();
  schema.release(&schema);
  while (stream.get_next(&stream, &array) == 0 && array.release != nullptr) array.release(&array);
  stream.release(&stream);
}

// Names and values that mean something, and any others.
scfe_settings* make_settings(FuzzedDataProvider& bytes) {
  static const char* const names[] = {
      "target",      "max-changes", "plausible", "probability", "robust",  "answers", "path",    "diverse",
      "solver",      "method",      "sparsity",  "density",     "space",   "freeze",  "only-up", "only-down",
      "range",       "rule",        "label",     "id",          "ignore",  "above",   "missing", "classes",
      "schema",      "by",          "share",     "hints",       "certify", "reach",   "beam",    "rounds",
      "below-floor", "norm",        "run",       "seed"};
  static const char* const values[] = {"yes",
                                       "any",
                                       "2",
                                       "0.1",
                                       "70%",
                                       "true",
                                       "false",
                                       "auto",
                                       "search",
                                       "apg",
                                       "exact",
                                       "kde",
                                       "knn",
                                       "none",
                                       "a=1:9",
                                       "a",
                                       "b",
                                       "c",
                                       "label",
                                       "drop",
                                       "values",
                                       "a <= b",
                                       "at most 1 of a, b",
                                       "-1",
                                       "l1",
                                       "1e9",
                                       "wachter",
                                       "nearest",
                                       "mixture",
                                       "zscore",
                                       "0.5:",
                                       "if c = 'x' then a rises"};
  scfe_settings* settings = scfe_settings_new();
  for (auto count = bytes.ConsumeIntegralInRange(0, 6); count > 0; --count) {
    const bool any_name = bytes.ConsumeIntegral<std::uint8_t>() == 255;
    const std::string name = any_name ? bytes.ConsumeRandomLengthString(12) : bytes.PickValueInArray(names);
    switch (bytes.ConsumeIntegralInRange(0, 7)) {
      case 0:
        went_well(scfe_settings_number(settings, name.c_str(), bytes.ConsumeFloatingPoint<double>()));
        break;
      case 1:
        went_well(scfe_settings_number(settings, name.c_str(), bytes.ConsumeIntegralInRange(-1, 9)));
        break;
      case 2:
        went_well(scfe_settings_flag(settings, name.c_str(), bytes.ConsumeBool()));
        break;
      case 3:
        went_well(scfe_settings_text(settings, name.c_str(), bytes.ConsumeRandomLengthString(40).c_str()));
        break;
      default:
        went_well(scfe_settings_text(settings, name.c_str(), bytes.PickValueInArray(values)));
    }
  }
  went_well(scfe_settings_text(settings, "threads", "1"));  // else most of the time goes into threads and
  went_well(scfe_settings_text(settings, "time-limit", "0.02"));  // long searches
  went_well(scfe_settings_text(settings, "iterations", "5"));
  went_well(scfe_settings_text(settings, "sections", "1"));
  return settings;
}

void ask(FuzzedDataProvider& bytes, const scfe_settings* settings) {
  const scfe_explainer* explainer = small_explainer();
  scfe::fuzz::ArrowBytes table(bytes), second(bytes);
  ArrowArrayStream rows = table.stream(), more = second.stream(), out;
  scfe_bytes* text = nullptr;
  switch (bytes.ConsumeIntegralInRange(0, 9)) {
    case 0:
      if (went_well(scfe_predict(explainer, &rows, settings, &out))) drain(out);
      break;
    case 1:
      if (went_well(scfe_verify(explainer, &rows, &more, settings, &text))) read_and_free(text);
      break;
    case 2:
      if (went_well(scfe_evaluate(explainer, &rows, &more, settings, &text))) read_and_free(text);
      break;
    case 3:
      if (went_well(scfe_audit(explainer, &rows, settings, &text))) read_and_free(text);
      break;
    case 4:
      if (went_well(scfe_keep(explainer, &rows, settings, &text))) read_and_free(text);
      break;
    case 5:
      if (went_well(scfe_infer_schema(&rows, settings, &text))) read_and_free(text);
      break;
    case 6: {
      scfe_explainer* made = nullptr;
      if (went_well(scfe_fit(small_model(), &rows, settings, &made))) scfe_explainer_free(made);
      break;
    }
    default: {
      static const char* const formats[] = {"table", "csv", "json", "html", "cards", "neither"};
      scfe_answers* answers = nullptr;
      if (!went_well(scfe_explain(explainer, &rows, settings, &answers))) break;
      if (went_well(scfe_answers_text(answers, bytes.PickValueInArray(formats), 3, &text)))
        read_and_free(text);
      if (went_well(scfe_answers_stream(answers, &out))) drain(out);
      scfe_answers_free(answers);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  switch (bytes.ConsumeIntegralInRange(0, 9)) {
    case 0: {
      const std::vector<std::uint8_t> rest = bytes.ConsumeRemainingBytes<std::uint8_t>();
      scfe_model* model = nullptr;
      if (went_well(scfe_model_from_bytes(rest.data(), rest.size(), "m", &model))) scfe_model_free(model);
      break;
    }
    case 1: {
      const std::vector<std::uint8_t> rest = bytes.ConsumeRemainingBytes<std::uint8_t>();
      scfe_explainer* explainer = nullptr;
      if (went_well(scfe_load_bytes(rest.data(), rest.size(), &explainer))) scfe_explainer_free(explainer);
      break;
    }
    default: {
      scfe_settings* settings = make_settings(bytes);
      ask(bytes, settings);
      scfe_settings_free(settings);
    }
  }
  return 0;
}
