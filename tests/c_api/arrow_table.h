/* A table of numbers as an Arrow stream of one batch, for the tests of the C interface. */
#ifndef SCFE_TESTS_ARROW_TABLE_H
#define SCFE_TESTS_ARROW_TABLE_H

#include <scfe/c_api.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 4 };
struct table {
  int columns, given;
  int64_t rows;
  const char* names[MOST];
  const double* values[MOST];
  struct ArrowSchema schemas[MOST], *schema_pointers[MOST];
  struct ArrowArray arrays[MOST], *array_pointers[MOST];
  const void* buffers[MOST][2];
  const void* no_buffer[1];
};
static void forget_schema(struct ArrowSchema* schema) { schema->release = NULL; }
static void forget_array(struct ArrowArray* array) { array->release = NULL; }
static void forget_stream(struct ArrowArrayStream* stream) { stream->release = NULL; }
static const char* no_error(struct ArrowArrayStream* stream) {
  (void)stream;
  return NULL;
}
static int get_schema(struct ArrowArrayStream* stream, struct ArrowSchema* out) {
  struct table* t = stream->private_data;
  for (int i = 0; i < t->columns; ++i) {
    struct ArrowSchema one = {"g", t->names[i], NULL, 2, 0, NULL, NULL, forget_schema, NULL};
    t->schemas[i] = one;
    t->schema_pointers[i] = &t->schemas[i];
  }
  struct ArrowSchema all = {"+s", "", NULL, 0, t->columns, t->schema_pointers, NULL, forget_schema, NULL};
  *out = all;
  return 0;
}
static int get_next(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  struct table* t = stream->private_data;
  memset(out, 0, sizeof *out);
  if (t->given++) return 0;
  for (int i = 0; i < t->columns; ++i) {
    t->buffers[i][0] = NULL;
    t->buffers[i][1] = t->values[i];
    struct ArrowArray one = {t->rows, 0, 0, 2, 0, t->buffers[i], NULL, NULL, forget_array, NULL};
    t->arrays[i] = one;
    t->array_pointers[i] = &t->arrays[i];
  }
  t->no_buffer[0] = NULL;
  struct ArrowArray all = {t->rows,      0,   0, 1, t->columns, t->no_buffer, t->array_pointers, NULL,
                           forget_array, NULL};
  *out = all;
  return 0;
}
static struct ArrowArrayStream stream_of(struct table* t) {
  struct ArrowArrayStream stream = {get_schema, get_next, no_error, forget_stream, t};
  t->given = 0;
  return stream;
}

#endif
