// Reference values that are not part of the repository. Tests that need them are skipped, with a message, if
// they are missing.
#pragma once

#include <gtest/gtest.h>

#include "tests/helper/shared_files.h"

#define SCFE_NEEDS_SHARED(relative)                                                                      \
  if (!std::filesystem::exists(scfe::test::shared_dir() / (relative)))                                   \
  GTEST_SKIP() << (scfe::test::shared_dir() / (relative)).string() << " is absent: reference values of " \
               << "the public implementation are not part of the repository"
