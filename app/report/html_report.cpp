#include "report/html_report.h"
namespace scfe::cli {
namespace { struct None : Sink { void add(const Answer&) override {} }; }
std::unique_ptr<Sink> html_report(const Question&, const std::string&) { return std::make_unique<None>(); }
}
