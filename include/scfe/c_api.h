/* The C door to the engine, for other languages: opaque handles, tables as Arrow streams, nothing thrown.
 *
 *     scfe_settings* s = scfe_settings_new();
 *     scfe_settings_text(s, "label", "risk");
 *     scfe_model* model;           scfe_model_read("credit.onnx", &model);
 *     scfe_explainer* explainer;   scfe_fit(model, &training, s, &explainer);
 *     scfe_answers* answers;       scfe_explain(explainer, &rows, s, &answers);
 *     struct ArrowArrayStream out; scfe_answers_stream(answers, &out);
 *
 * Every function that can fail returns 0 for success, and else a status code; scfe_error() then says why, in
 * the calling thread, in the words of the command line. Answers are those of the command line, to the bit.
 *
 * Handles are freed by the function of their name, which takes NULL too. An explainer never changes once it
 * is made: many threads may use one at the same time. Answers are for one thread at a time. Settings and
 * models may be freed after the call that takes them. Texts are UTF-8 and end with a NUL byte.
 *
 * A function that takes an Arrow stream consumes and releases it, also when it fails. The struct definitions
 * below are those that the Arrow C data interface publishes. Columns may be floats (e, f, g), integers (c, C,
 * s, S, i, I, l, L), booleans (b), texts (u, U) and dictionaries of these; a null is a missing cell, and so
 * is NaN. Columns are matched by name. A batch of a stream is a struct with one child for each column.
 *
 * The library only grows within one SCFE_C_API_VERSION: functions are added, and none changes its meaning.
 */
#ifndef SCFE_C_API_H
#define SCFE_C_API_H

#include <stddef.h>
#include <stdint.h>

/* This is C, which knows typedef alone. NOLINTBEGIN(modernize-use-using) */
#ifdef __cplusplus
extern "C" {
#endif

#define SCFE_C_API_VERSION 1

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
#endif

typedef struct scfe_settings scfe_settings;
typedef struct scfe_model scfe_model;
typedef struct scfe_explainer scfe_explainer;
typedef struct scfe_answers scfe_answers;
typedef struct scfe_bytes scfe_bytes;
typedef struct scfe_cancel scfe_cancel;

enum scfe_status {
  SCFE_OK = 0,
  SCFE_BAD_INPUT = 1, /* something given is wrong; the error text names it, and what was expected */
  SCFE_FAILED = 2,    /* anything else, such as memory that ran out */
  SCFE_CALLBACK = 3   /* a function of the caller reported a failure */
};

/* Why the last call of this thread failed. Valid until the thread's next call; "" if it succeeded. */
const char* scfe_error(void);
/* The version of the program, such as "1.0.0", and of this interface (SCFE_C_API_VERSION). */
const char* scfe_version(void);
int scfe_c_api_version(void);

/* Texts and files that the library gives. The bytes are followed by a NUL byte that the size does not count.
 */
const char* scfe_bytes_data(const scfe_bytes* bytes);
size_t scfe_bytes_size(const scfe_bytes* bytes);
void scfe_bytes_free(scfe_bytes* bytes);

/* ---- Settings: everything that the command line takes as flags, under the same names without the dashes.
 *
 * Every option of the catalogue ("max-changes", "plausible", ...; scfe_options_json() lists them), the limits
 * of a question ("freeze", "only-up", "only-down", "range", "rule") and what describes training rows
 * ("label", "id", "ignore", "above", "missing", "classes", "predictions", "min-agreement", "model-output").
 * "schema" is the JSON of a schema. "by" is the column of an audit, "share" that of scfe_keep. */
scfe_settings* scfe_settings_new(void);
void scfe_settings_free(scfe_settings* settings);
/* Sets a value. Those that may be repeated are added: "freeze", "only-up", "only-down", "range", "rule",
 * "ignore", "classes". An unknown name is an error that suggests the nearest one. */
int scfe_settings_text(scfe_settings* settings, const char* name, const char* value);
int scfe_settings_number(scfe_settings* settings, const char* name, double value);
int scfe_settings_flag(scfe_settings* settings, const char* name, int value);
/* Takes warnings, one sentence each. Called in the thread that made the call. */
typedef void (*scfe_warn)(void* context, const char* sentence);
void scfe_settings_on_warning(scfe_settings* settings, scfe_warn warn, void* context);
/* Hears how many rows are done, of how many (0: unknown). Called in the thread that made the call. */
typedef void (*scfe_progress)(void* context, uint64_t done, uint64_t total);
void scfe_settings_on_progress(scfe_settings* settings, scfe_progress progress, void* context);
/* Ends a call early: scfe_cancel_now may be called from any thread. scfe_explain then returns the rows that
 * are done (scfe_answers_rows says how many); other calls fail. */
scfe_cancel* scfe_cancel_new(void);
void scfe_cancel_now(scfe_cancel* cancel);
void scfe_cancel_free(scfe_cancel* cancel);
void scfe_settings_cancel(scfe_settings* settings, const scfe_cancel* cancel);

/* The catalogue of options as a JSON list: name, stage, group, type, JSON type, default, choices, least,
 * greatest, what a value looks like, and what it does. Bindings derive keywords, types and docs from it. */
int scfe_options_json(scfe_bytes** out);

/* ---- Models. */
int scfe_model_read(const char* path, scfe_model** out);
/* The content of a model file; its kind is told by the content. `source` names it in errors and reports. */
int scfe_model_from_bytes(const void* bytes, size_t size, const char* source, scfe_model** out);
/* A model of the caller. `value` computes scores[row][score] of x[row][feature]: one score is the logit of
 * the second of two classes, or the number of a regression model; several are logits, of which the largest
 * wins. `vjp` computes gradient[row][feature] of the sum of seed[row][score] * scores; NULL: central
 * differences of `value`, slow. Both return 0, or else the call that needed them fails with SCFE_CALLBACK and
 * the text that scfe_callback_error was given. They are called from one thread at a time, which need not be
 * the caller's. Scores of a row may not depend on the other rows. */
typedef int (*scfe_value)(void* context, size_t rows, const float* x, float* scores);
typedef int (*scfe_vjp)(void* context, size_t rows, const float* x, const float* seed, float* gradient);
typedef struct {
  size_t features, scores;
  scfe_value value;
  scfe_vjp vjp;
  void* context;
  const char* source; /* its name for people: "callable", "torch.nn.Sequential" */
} scfe_functions;
int scfe_model_from_functions(const scfe_functions* functions, scfe_model** out);
/* For scfe_fit: a density of the caller's own, a model whose scores are log q, from functions or an ONNX
 * file. One for all classes, or a call for each class in their order. Files can also be named by the text
 * "density". */
int scfe_settings_density(scfe_settings* settings, const scfe_model* density);
/* Within a callback: what went wrong. */
void scfe_callback_error(const char* text);
/* What a model expects, as JSON: kind, inputs, scores, names of inputs and classes where it has them. */
int scfe_model_describe(const scfe_model* model, scfe_bytes** out);
void scfe_model_free(scfe_model* model);

/* ---- Explainers. */
int scfe_fit(const scfe_model* model, struct ArrowArrayStream* training, const scfe_settings* settings,
             scfe_explainer** out);
/* The same fit with limits of every later question: "freeze", "only-up", "only-down", "range" and "rule" of
 * the settings become part of the schema, so that they are saved, too. The explainer that was given stays as
 * it is. */
int scfe_limited(const scfe_explainer* explainer, const scfe_settings* settings, scfe_explainer** out);
int scfe_load(const char* path, scfe_explainer** out);
int scfe_load_bytes(const void* bytes, size_t size, scfe_explainer** out);
/* Writes a bundle (E.scfe), as `scfe fit` does. Fails for a model of functions, which no file can hold. */
int scfe_save(const scfe_explainer* explainer, const char* path);
int scfe_save_bytes(const scfe_explainer* explainer, scfe_bytes** out);
void scfe_explainer_free(scfe_explainer* explainer);
/* The schema as JSON, as `scfe schema` writes it. */
int scfe_schema_json(const scfe_explainer* explainer, scfe_bytes** out);
/* A JSON object: features, classes, options as fitted, the model's kind and source, and "said": the sentences
 * that fitting printed (labels that the model gives, solver, densities). */
int scfe_describe(const scfe_explainer* explainer, scfe_bytes** out);
/* One feature of the class's training rows that the model classifies correctly: a column "value" with numbers
 * in original units, or places of levels. `target` is a place in the classes, `feature` one in the features.
 */
int scfe_class_values(const scfe_explainer* explainer, size_t target, size_t feature,
                      struct ArrowArrayStream* out);
/* The schema that would be inferred from a table, as JSON, without a model. */
int scfe_infer_schema(struct ArrowArrayStream* training, const scfe_settings* settings, scfe_bytes** out);

/* ---- Questions. */
/* One row for each row: "predicted" (class name), "output", and "probability", a struct with one column for
 * each class. A row that is dropped for a missing cell is null. */
int scfe_predict(const scfe_explainer* explainer, struct ArrowArrayStream* rows,
                 const scfe_settings* settings, struct ArrowArrayStream* out);
int scfe_explain(const scfe_explainer* explainer, struct ArrowArrayStream* rows,
                 const scfe_settings* settings, scfe_answers** out);
/* The same without a copy of the rows: the arrays of the stream are read again for the answers' columns and
 * texts, and released by scfe_answers_free. Their buffers must stay as they are until then. */
int scfe_explain_shared(const scfe_explainer* explainer, struct ArrowArrayStream* rows,
                        const scfe_settings* settings, scfe_answers** out);
/* How many answers there are, of how many rows. */
size_t scfe_answers_count(const scfe_answers* answers);
size_t scfe_answers_rows(const scfe_answers* answers);
/* One row for each answer, in the order of the rows:
 *     row              l       place of the row in the table, from 0
 *     name             u       its id, or its number from 1
 *     answer           i       which answer of the row; with "path" the limit on changes
 *     status, predicted, target, proof, stability     dictionary of u
 *     reason, certificate      u
 *     probability_before, probability, output_before, output, margin, l2, l1, distance (as the options
 * "distance" and "weights" measure it), log_density, quantile, lower_bound, stable_margin    g timed_out,
 * knee          b changes          list of struct: feature i (place in the schema), from g, to g, room g
 *     filled           list of struct: feature i, value g: the missing cells of the row, and what they were
 * taken for
 *     hints            list of struct: kind dictionary, value g, l2 g, distance g, reached g, text u
 *     counterfactual   struct: a column for each feature, g or dictionary of u; null without an answer
 * Levels in "changes" are places in the schema's levels. */
int scfe_answers_stream(const scfe_answers* answers, struct ArrowArrayStream* out);
/* The same of `count` answers from the place `first` on, or as many as there are, with the named columns
 * alone: "row,status,counterfactual"; NULL: all. Answers are kept in few bytes, and become columns when they
 * are asked for. */
int scfe_answers_part(const scfe_answers* answers, size_t first, size_t count, const char* columns,
                      struct ArrowArrayStream* out);
/* The same texts that the command line writes: "table" (for people), "csv", "json" (JSON lines), "html" (the
 * whole report), "cards" (a part of a page, for notebooks). `limit`: of at most so many answers, 0: all. */
int scfe_answers_text(const scfe_answers* answers, const char* format, size_t limit, scfe_bytes** out);
void scfe_answers_free(scfe_answers* answers);

/* The verbs that look at answers, given as the columns of the answers' CSV: row (or the id), answer, status,
 * the features. Results are JSON. */
int scfe_verify(const scfe_explainer* explainer, struct ArrowArrayStream* rows,
                struct ArrowArrayStream* answers, const scfe_settings* settings, scfe_bytes** out);
int scfe_evaluate(const scfe_explainer* explainer, struct ArrowArrayStream* rows,
                  struct ArrowArrayStream* answers, const scfe_settings* settings, scfe_bytes** out);
/* Compares recourse between the groups of the setting "by": JSON with the groups, "table" and "html" (a part
 * of a page, for notebooks). */
int scfe_audit(const scfe_explainer* explainer, struct ArrowArrayStream* rows, const scfe_settings* settings,
               scfe_bytes** out);
/* Runs methods and settings on the same rows and measures their answers in the same way: JSON with "rows"
 * and, as the command line writes them, "text", "csv", "markdown", "latex" and "svg". Each setting "run" is a
 * line "NAME: --method wachter --tau 2"; without one every method is run. */
int scfe_compare(const scfe_explainer* explainer, struct ArrowArrayStream* rows,
                 const scfe_settings* settings, scfe_bytes** out);
/* The fewest values that alone keep the decision: a JSON list. */
int scfe_keep(const scfe_explainer* explainer, struct ArrowArrayStream* rows, const scfe_settings* settings,
              scfe_bytes** out);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-use-using) */

#endif
