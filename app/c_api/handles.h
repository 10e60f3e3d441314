// What stands behind the opaque handles of scfe/c_api.h, and the guard that keeps exceptions inside.
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "ask/answer.h"
#include "ask/question.h"
#include "c_api/kept_answers.h"
#include "scfe/c_api.h"
#include "scfe/error.h"

struct scfe_bytes {
  std::string text;
};

struct scfe_cancel {
  std::stop_source source;
};

struct scfe_settings {
  scfe::app::Arguments arguments;
  scfe_warn warn = nullptr;
  void* warn_context = nullptr;
  scfe_progress progress = nullptr;
  void* progress_context = nullptr;
  std::stop_token stop;
  std::vector<scfe::DensityModel> densities = {};  // of the caller's own, for a fit
};

struct scfe_model {
  scfe::ModelFile file;
};

struct scfe_explainer {
  scfe::Bundle bundle;
  std::vector<std::string> said;  // what fitting found out, for people
};

struct scfe_answers {
  scfe::app::Question question;
  scfe::app::KeptRows rows;
  scfe::app::KeptAnswers answers = {};
  std::size_t done = 0;  // rows

  // Calls `take` with so many answers from the first one on, each with the part that it belongs to.
  template <class Take>
  void each(std::size_t first, std::size_t count, const Take& take) const {
    constexpr std::size_t at_once = 1024;
    const std::size_t end = first + std::min(count, answers.size() - std::min(first, answers.size()));
    for (; first < end; first += at_once) {
      scfe::app::AnswersPart part = answers.part(question, rows, first, std::min(at_once, end - first));
      for (scfe::app::Answer& answer : part.answers) take(part, answer);
    }
  }
};

namespace scfe::app {

// A function of the caller reported a failure.
class CallbackFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The text of scfe_error() in this thread.
std::string& error_text();

// Runs the work, and turns what it throws into a status and an error text.
template <class Work>
int guarded(const Work& work) noexcept {
  try {
    error_text().clear();
    work();
    return SCFE_OK;
  } catch (const CallbackFailure& error) {
    error_text() = error.what();
    return SCFE_CALLBACK;
  } catch (const Error& error) {
    error_text() = error.what();
    return SCFE_BAD_INPUT;
  } catch (const std::bad_alloc&) {
    error_text() = "not enough memory";
    return SCFE_FAILED;
  } catch (const std::exception& error) {
    error_text() = error.what();
    return SCFE_FAILED;
  } catch (...) {
    error_text() = "an unknown failure";
    return SCFE_FAILED;
  }
}

template <class Handle>
Handle& given(Handle* handle, const char* name) {
  if (handle == nullptr) throw Error(name, "a handle", "NULL");
  return *handle;
}

inline std::string given_text(const char* text, const char* name) {
  if (text == nullptr) throw Error(name, "a text", "NULL");
  return text;
}

inline void give(scfe_bytes** out, std::string text) { given(out, "out") = new scfe_bytes{std::move(text)}; }

// The settings as the command line's arguments, with warnings going to the caller. NULL: none.
Arguments arguments_of(const scfe_settings* settings);

}  // namespace scfe::app
