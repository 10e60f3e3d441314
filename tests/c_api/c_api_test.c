/* The C interface from C: fit, explain, read the answers' stream, save, load, errors. Exits with 0 if all
 * holds.
 *
 *     c_api_test DATA_FOLDER
 */
#include <math.h>
#include <scfe/c_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrow_table.h"

static int failures = 0, checks = 0;
#define CHECK(holds)                                                      \
  do {                                                                    \
    ++checks;                                                             \
    if (!(holds)) {                                                       \
      ++failures;                                                         \
      printf("line %d: %s failed: %s\n", __LINE__, #holds, scfe_error()); \
    }                                                                     \
  } while (0)

/* score = 2 (a + b - 1) */
static int value(void* context, size_t rows, const float* x, float* scores) {
  if (context != NULL && *(int*)context) {
    scfe_callback_error("no power");
    return 1;
  }
  for (size_t i = 0; i < rows; ++i) scores[i] = 2 * (x[2 * i] + x[2 * i + 1] - 1);
  return 0;
}
static int vjp(void* context, size_t rows, const float* x, const float* seed, float* gradient) {
  (void)context;
  (void)x;
  for (size_t i = 0; i < 2 * rows; ++i) gradient[i] = 2 * seed[i / 2];
  return 0;
}

static int warnings_heard = 0;
static void warn(void* context, const char* sentence) {
  (void)context;
  (void)sentence;
  ++warnings_heard;
}

enum { ROWS = 200 };
static double a[ROWS], b[ROWS], label[ROWS], extra[ROWS];

/* The plane gets every label right, so that the values of a class are those of all its rows, in any order. */
static void check_class_values(const scfe_explainer* explainer) {
  struct ArrowArrayStream out;
  struct ArrowArray array;
  double expected = 0, sum = 0;
  int count = 0;
  for (int i = 0; i < ROWS; ++i) {
    if (label[i] == 0) continue;
    expected += a[i];
    ++count;
  }
  CHECK(scfe_class_values(explainer, 1, 0, &out) == SCFE_OK && out.get_next(&out, &array) == 0);
  CHECK(count > 20 && array.length == count);
  for (int i = 0; i < array.length; ++i) sum += ((const double*)array.children[0]->buffers[1])[i];
  CHECK(fabs(sum - expected) < 1e-3);
  array.release(&array);
  out.release(&out);
  CHECK(scfe_class_values(explainer, 2, 0, &out) == SCFE_BAD_INPUT);
  CHECK(scfe_class_values(explainer, 0, 2, &out) == SCFE_BAD_INPUT);
}

/* Answers that read the caller's own rows are those with a copy of them, and a part of them has the columns
 * that were asked for. The rows are released with the answers. */
static int rows_released = 0;
static void count_release(struct ArrowArray* array) {
  ++rows_released;
  array->release = NULL;
}
static int get_counted(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  const int status = get_next(stream, out);
  if (out->release != NULL) out->release = count_release;
  return status;
}
static void check_parts(const scfe_explainer* explainer, const scfe_settings* question, const char* json) {
  struct table rows = {.columns = 3, .rows = 10, .names = {"a", "b", "note"}, .values = {a, b, extra}};
  struct ArrowArrayStream stream = stream_of(&rows), out;
  struct ArrowSchema schema;
  struct ArrowArray array;
  scfe_answers* answers = NULL;
  scfe_bytes* bytes = NULL;
  stream.get_next = get_counted;
  CHECK(scfe_explain_shared(explainer, &stream, question, &answers) == SCFE_OK);
  CHECK(stream.release == NULL && rows_released == 0);
  CHECK(scfe_answers_text(answers, "json", 0, &bytes) == SCFE_OK &&
        strcmp(scfe_bytes_data(bytes), json) == 0);
  scfe_bytes_free(bytes);
  CHECK(scfe_answers_part(answers, 7, 100, "row,status", &out) == SCFE_OK);
  CHECK(out.get_schema(&out, &schema) == 0 && out.get_next(&out, &array) == 0);
  CHECK(schema.n_children == 2 && strcmp(schema.children[1]->name, "status") == 0);
  CHECK(array.length == 3 && ((const int64_t*)array.children[0]->buffers[1])[0] == 7);
  array.release(&array);
  schema.release(&schema);
  out.release(&out);
  CHECK(scfe_answers_part(answers, 11, 1, NULL, &out) == SCFE_OK && out.get_next(&out, &array) == 0);
  CHECK(array.length == 0);
  array.release(&array);
  out.release(&out);
  CHECK(scfe_answers_part(answers, 0, 1, "row,colour", &out) == SCFE_BAD_INPUT);
  CHECK(strstr(scfe_error(), "row,colour") != NULL);
  scfe_answers_free(answers);
  CHECK(rows_released == 1);
}

/* log q = -(a - 1)² - b², and its gradient. */
static int bell(void* context, size_t count, const float* x, float* scores) {
  (void)context;
  for (size_t i = 0; i < count; ++i)
    scores[i] = -(x[2 * i] - 1) * (x[2 * i] - 1) - x[2 * i + 1] * x[2 * i + 1];
  return 0;
}
static int bell_vjp(void* context, size_t count, const float* x, const float* seed, float* gradient) {
  (void)context;
  for (size_t i = 0; i < count; ++i) {
    gradient[2 * i] = -2 * (x[2 * i] - 1) * seed[i];
    gradient[2 * i + 1] = -2 * x[2 * i + 1] * seed[i];
  }
  return 0;
}

static void own_density(void) {
  int broken = 0;
  scfe_functions functions = {2, 1, value, vjp, &broken, "a plane"};
  scfe_functions log_q = {2, 1, bell, bell_vjp, NULL, "a bell"};
  scfe_model *model = NULL, *density = NULL;
  scfe_explainer* explainer = NULL;
  scfe_answers* answers = NULL;
  scfe_bytes* bytes = NULL;
  scfe_settings* settings = scfe_settings_new();
  struct table training = {.columns = 3, .rows = ROWS, .names = {"a", "b", "label"}, .values = {a, b, label}};
  struct table rows = {.columns = 2, .rows = 10, .names = {"a", "b"}, .values = {a, b}};
  CHECK(scfe_model_from_functions(&functions, &model) == SCFE_OK);
  CHECK(scfe_model_from_functions(&log_q, &density) == SCFE_OK);
  CHECK(scfe_settings_text(settings, "label", "label") == SCFE_OK);
  CHECK(scfe_settings_density(settings, NULL) == SCFE_BAD_INPUT);
  CHECK(scfe_settings_density(settings, density) == SCFE_OK);
  struct ArrowArrayStream stream = stream_of(&training);
  CHECK(scfe_fit(model, &stream, settings, &explainer) == SCFE_OK);
  CHECK(scfe_describe(explainer, &bytes) == SCFE_OK && strstr(scfe_bytes_data(bytes), "own: a bell") != NULL);
  scfe_bytes_free(bytes);
  stream = stream_of(&rows);
  CHECK(scfe_explain(explainer, &stream, NULL, &answers) == SCFE_OK && scfe_answers_count(answers) == 10);
  CHECK(scfe_answers_text(answers, "json", 0, &bytes) == SCFE_OK);
  CHECK(strstr(scfe_bytes_data(bytes), "\"valid\"") != NULL);
  scfe_bytes_free(bytes);
  CHECK(scfe_save_bytes(explainer, &bytes) == SCFE_BAD_INPUT);
  scfe_answers_free(answers);
  scfe_explainer_free(explainer);
  scfe_model_free(model);
  scfe_model_free(density);
  scfe_settings_free(settings);
}

static void explain_functions(void) {
  int broken = 0;
  scfe_functions functions = {2, 1, value, vjp, &broken, "a plane"};
  scfe_model* model = NULL;
  scfe_settings* settings = scfe_settings_new();
  scfe_explainer* explainer = NULL;
  scfe_answers* answers = NULL;
  scfe_bytes* bytes = NULL;
  struct table training = {.columns = 3, .rows = ROWS, .names = {"a", "b", "label"}, .values = {a, b, label}};
  struct table rows = {.columns = 3, .rows = 10, .names = {"a", "b", "note"}, .values = {a, b, extra}};
  CHECK(scfe_model_from_functions(&functions, &model) == SCFE_OK);
  CHECK(scfe_settings_text(settings, "label", "label") == SCFE_OK);
  CHECK(scfe_settings_text(settings, "max-chnages", "2") == SCFE_BAD_INPUT);
  CHECK(strstr(scfe_error(), "max-changes") != NULL);
  struct ArrowArrayStream stream = stream_of(&training);
  CHECK(scfe_fit(model, &stream, settings, &explainer) == SCFE_OK);
  CHECK(stream.release == NULL);
  scfe_model_free(model);

  scfe_settings* question = scfe_settings_new();
  scfe_settings_on_warning(question, warn, NULL);
  CHECK(scfe_settings_number(question, "max-changes", 1) == SCFE_OK);
  CHECK(scfe_settings_text(question, "freeze", "b") == SCFE_OK);
  stream = stream_of(&rows);
  CHECK(scfe_explain(explainer, &stream, question, &answers) == SCFE_OK);
  CHECK(warnings_heard == 1); /* the column 'note' is not used */
  CHECK(scfe_answers_count(answers) == 10 && scfe_answers_rows(answers) == 10);

  struct ArrowArrayStream out;
  struct ArrowSchema schema;
  struct ArrowArray array, end;
  CHECK(scfe_answers_stream(answers, &out) == SCFE_OK);
  CHECK(out.get_schema(&out, &schema) == 0 && out.get_next(&out, &array) == 0);
  CHECK(out.get_next(&out, &end) == 0 && end.release == NULL);
  CHECK(array.length == 10 && strcmp(schema.children[0]->name, "row") == 0);
  const int64_t last = schema.n_children - 1;
  CHECK(strcmp(schema.children[last]->name, "counterfactual") == 0);
  const double* new_a = array.children[last]->children[0]->buffers[1];
  const double* new_b = array.children[last]->children[1]->buffers[1];
  int crossed = 0;
  for (int i = 0; i < 10; ++i) {
    if (isnan(new_a[i])) continue;
    CHECK(memcmp(&new_b[i], &b[i], sizeof(double)) == 0); /* frozen, to the bit */
    CHECK((a[i] + b[i] > 1) != (new_a[i] + new_b[i] > 1));
    ++crossed;
  }
  CHECK(crossed >= 5);
  array.release(&array);
  schema.release(&schema);
  out.release(&out);

  CHECK(scfe_answers_text(answers, "json", 0, &bytes) == SCFE_OK && scfe_bytes_size(bytes) > 100);
  check_parts(explainer, question, scfe_bytes_data(bytes));
  scfe_bytes_free(bytes);
  CHECK(scfe_answers_text(answers, "poem", 0, &bytes) == SCFE_BAD_INPUT);
  scfe_answers_free(answers);
  check_class_values(explainer);
  scfe_explainer* limited = NULL; /* the question's limits become the schema's */
  CHECK(scfe_limited(explainer, question, &limited) == SCFE_OK);
  CHECK(scfe_schema_json(limited, &bytes) == SCFE_OK &&
        strstr(scfe_bytes_data(bytes), "\"immutable\": true"));
  scfe_bytes_free(bytes);
  CHECK(scfe_schema_json(explainer, &bytes) == SCFE_OK &&
        !strstr(scfe_bytes_data(bytes), "\"immutable\": true"));
  scfe_bytes_free(bytes);
  scfe_explainer_free(limited);
  CHECK(scfe_save_bytes(explainer, &bytes) == SCFE_BAD_INPUT);
  CHECK(strstr(scfe_error(), "a plane") != NULL);
  broken = 1;
  stream = stream_of(&rows);
  CHECK(scfe_explain(explainer, &stream, question, &answers) == SCFE_CALLBACK);
  CHECK(strcmp(scfe_error(), "no power") == 0);
  rows.columns = 1;
  stream = stream_of(&rows);
  CHECK(scfe_explain(explainer, &stream, question, &answers) == SCFE_BAD_INPUT);
  CHECK(strstr(scfe_error(), "'b'") != NULL && stream.release == NULL);
  CHECK(scfe_explain(explainer, NULL, question, &answers) == SCFE_BAD_INPUT);
  scfe_explainer_free(explainer);
  scfe_settings_free(question);
  scfe_settings_free(settings);
}

static void read_files(const char* folder) {
  char path[4096];
  scfe_model* model = NULL;
  scfe_bytes* bytes = NULL;
  snprintf(path, sizeof path, "%s/models/wine.onnx", folder);
  CHECK(scfe_model_read(path, &model) == SCFE_OK);
  CHECK(scfe_model_describe(model, &bytes) == SCFE_OK && strstr(scfe_bytes_data(bytes), "\"onnx\"") != NULL);
  scfe_bytes_free(bytes);
  scfe_model_free(model);
  CHECK(scfe_model_read("no such file", &model) == SCFE_BAD_INPUT);
  CHECK(scfe_model_from_bytes("?", 1, "question mark", &model) == SCFE_BAD_INPUT);
  CHECK(scfe_load_bytes("?", 1, NULL) == SCFE_BAD_INPUT);
  CHECK(scfe_options_json(&bytes) == SCFE_OK && strstr(scfe_bytes_data(bytes), "\"max-changes\"") != NULL);
  scfe_bytes_free(bytes);
}

/* What a caller can get wrong in an Arrow stream is an error that names the column, as far as it can be seen.
 */
static int fault = 0;
static const int32_t falling[3] = {0, 4, 2};
static const void* texts[3] = {NULL, falling, "text"};
static int broken_schema(struct ArrowArrayStream* stream, struct ArrowSchema* out) {
  struct table* t = stream->private_data;
  const int status = get_schema(stream, out);
  if (fault == 0) t->schemas[1].format = NULL;
  if (fault == 4) t->schemas[1].format = "u";
  if (fault == 5) t->schemas[1].dictionary = &t->schemas[0]; /* codes that are no whole numbers */
  return status;
}
static int broken_next(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  struct table* t = stream->private_data;
  const int status = get_next(stream, out);
  if (out->release == NULL) return status;
  if (fault == 1) t->array_pointers[1] = NULL;
  if (fault == 2) t->buffers[1][1] = NULL;
  if (fault == 3) t->arrays[1].offset = -5;
  if (fault == 4) t->arrays[1].buffers = texts, t->arrays[1].n_buffers = 3;
  if (fault == 6) t->arrays[1].n_buffers = 1;
  return status;
}
static void refuse_broken_streams(void) {
  for (fault = 0; fault <= 6; ++fault) {
    struct table rows = {.columns = 2, .rows = 2, .names = {"a", "b"}, .values = {a, b}};
    struct ArrowArrayStream stream = stream_of(&rows);
    scfe_bytes* bytes = NULL;
    stream.get_schema = broken_schema;
    stream.get_next = broken_next;
    CHECK(scfe_infer_schema(&stream, NULL, &bytes) == SCFE_BAD_INPUT && strstr(scfe_error(), "'b'") != NULL);
    CHECK(stream.release == NULL);
  }
}

int main(int count, char** words) {
  for (int i = 0; i < ROWS; ++i) {
    a[i] = (i * 37 % 100) / 100.0;
    b[i] = (i * 61 % 97) / 97.0;
    label[i] = a[i] + b[i] > 1;
    extra[i] = i;
  }
  CHECK(scfe_c_api_version() == SCFE_C_API_VERSION);
  own_density();
  explain_functions();
  refuse_broken_streams();
  read_files(count > 1 ? words[1] : "data");
  printf("%d checks, %d failed\n", checks, failures);
  return failures > 0;
}
