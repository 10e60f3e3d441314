/* Eight threads ask one explainer at the same time, each its own question. Exits with 0 if every thread gets,
 * each time, the answers that one thread alone gets. Under the thread sanitizer (CONTRIBUTING.md) a race is
 * an error as well.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "arrow_table.h"

enum { THREADS = 8, ROUNDS = 3, ROWS = 200, ASKED = 12 };
static double a[ROWS], b[ROWS], label[ROWS];

static void require(int status, const char* what) {
  if (status == SCFE_OK) return;
  printf("%s failed: %s\n", what, scfe_error());
  exit(1);
}

/* score = 2 (a + b - 1) */
static int value(void* context, size_t rows, const float* x, float* scores) {
  (void)context;
  for (size_t i = 0; i < rows; ++i) scores[i] = 2 * (x[2 * i] + x[2 * i + 1] - 1);
  return 0;
}
static int vjp(void* context, size_t rows, const float* x, const float* seed, float* gradient) {
  (void)context;
  (void)x;
  for (size_t i = 0; i < 2 * rows; ++i) gradient[i] = 2 * seed[i / 2];
  return 0;
}

/* The answers to the question of one thread, as CSV: which feature is frozen and how many threads the engine
 * itself uses differ. */
static scfe_bytes* answers_of(const scfe_explainer* explainer, int thread) {
  struct table rows = {.columns = 2, .rows = ASKED, .names = {"a", "b"}, .values = {a + thread, b + thread}};
  struct ArrowArrayStream stream = stream_of(&rows), predictions;
  scfe_settings* question = scfe_settings_new();
  scfe_answers* answers = NULL;
  scfe_bytes* text = NULL;
  require(scfe_settings_number(question, "threads", 1 + thread % 2), "threads");
  require(scfe_settings_number(question, "answers", 1 + thread % 3), "answers");
  if (thread % 2 == 0) require(scfe_settings_text(question, "freeze", thread % 4 == 0 ? "a" : "b"), "freeze");
  require(scfe_explain(explainer, &stream, question, &answers), "explain");
  require(scfe_answers_text(answers, "csv", 0, &text), "text");
  stream = stream_of(&rows);
  require(scfe_predict(explainer, &stream, question, &predictions), "predict");
  predictions.release(&predictions);
  scfe_answers_free(answers);
  scfe_settings_free(question);
  return text;
}

struct work {
  const scfe_explainer* explainer;
  const scfe_bytes* expected;
  int thread, same;
};
static void* run(void* given) {
  struct work* work = given;
  for (int round = 0; round < ROUNDS; ++round) {
    scfe_bytes* text = answers_of(work->explainer, work->thread);
    work->same += strcmp(scfe_bytes_data(text), scfe_bytes_data(work->expected)) == 0;
    scfe_bytes_free(text);
  }
  return NULL;
}

static int same_as_alone(const scfe_explainer* explainer) {
  pthread_t threads[THREADS];
  struct work work[THREADS];
  scfe_bytes* expected[THREADS];
  int same = 0;
  for (int i = 0; i < THREADS; ++i) {
    expected[i] = answers_of(explainer, i);
    struct work one = {explainer, expected[i], i, 0};
    work[i] = one;
  }
  for (int i = 0; i < THREADS; ++i)
    if (pthread_create(&threads[i], NULL, run, &work[i]) != 0) exit(1);
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    same += work[i].same;
    scfe_bytes_free(expected[i]);
  }
  return same;
}

int main(void) {
  for (int i = 0; i < ROWS; ++i) {
    a[i] = (i * 37 % 101) / 100.0;
    b[i] = (i * 61 % 97) / 96.0;
    label[i] = a[i] + b[i] > 1;
  }
  scfe_functions functions = {2, 1, value, vjp, NULL, "a plane"};
  scfe_model* model = NULL;
  scfe_explainer* explainer = NULL;
  scfe_settings* settings = scfe_settings_new();
  struct table training = {.columns = 3, .rows = ROWS, .names = {"a", "b", "label"}, .values = {a, b, label}};
  struct ArrowArrayStream stream = stream_of(&training);
  require(scfe_model_from_functions(&functions, &model), "model");
  require(scfe_settings_text(settings, "label", "label"), "label");
  require(scfe_fit(model, &stream, settings, &explainer), "fit");
  const int same = same_as_alone(explainer);
  scfe_explainer_free(explainer);
  scfe_model_free(model);
  scfe_settings_free(settings);
  printf("%d of %d answers as of one thread\n", same, THREADS * ROUNDS);
  return same == THREADS * ROUNDS ? 0 : 1;
}
