// Expects that the call throws an Error whose message contains all of the given texts.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "scfe/error.h"

namespace scfe::test {

template <class Call>
void expect_error(Call call, std::initializer_list<std::string> parts) {
  try {
    call();
    ADD_FAILURE() << "no error, expected one about " << *parts.begin();
  } catch (const Error& error) {
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what() << " lacks " << part;
  }
}

}  // namespace scfe::test
