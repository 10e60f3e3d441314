// Counts the calls by which a program changes files, and makes the n-th of them fail. To be preloaded.
//
//     SCFE_FAULT     what happens: kill (before the call), torn (half of a write, then kill),
//                    full (this write and all later ones find no room), read (this read and all later ones
//                    fail), count (nothing)
//     SCFE_FAULT_AT  n, from 1
//     SCFE_FAULT_LOG file that gets the number of calls of each kind when the program ends
//
// Only files are meant: the standard descriptors are left alone.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int changes, reads;

static int is_fault(const char* kind) {
  const char* fault = getenv("SCFE_FAULT");
  return fault != NULL && strcmp(fault, kind) == 0;
}
static int fault_at(void) {
  const char* at = getenv("SCFE_FAULT_AT");
  return at == NULL ? 0 : atoi(at);
}
static void* real(const char* name) { return dlsym(RTLD_NEXT, name); }

// Counts a change; true if it is the n-th or a later one.
static int is_due(void) {
  const int now = ++changes;
  if (is_fault("kill") && now == fault_at()) raise(SIGKILL);
  return fault_at() > 0 && now >= fault_at();
}

ssize_t write(int file, const void* bytes, size_t size) {
  ssize_t (*call)(int, const void*, size_t) = (ssize_t(*)(int, const void*, size_t))real("write");
  if (file <= 2) return call(file, bytes, size);
  const int due = is_due();
  if (due && is_fault("torn")) {
    (void)call(file, bytes, size / 2);
    raise(SIGKILL);
  }
  if (due && is_fault("full")) {
    if (size > 1 && changes == fault_at()) return call(file, bytes, size / 2);  // what still fits
    errno = ENOSPC;
    return -1;
  }
  return call(file, bytes, size);
}

#define COUNTED(type, name, parameters, arguments)          \
  type name parameters {                                    \
    type(*call) parameters = (type(*) parameters)real(#name); \
    (void)is_due();                                         \
    return call arguments;                                  \
  }
COUNTED(int, fsync, (int file), (file))
COUNTED(int, rename, (const char* from, const char* to), (from, to))
COUNTED(int, unlink, (const char* path), (path))
COUNTED(int, ftruncate, (int file, off_t size), (file, size))
COUNTED(int, ftruncate64, (int file, off64_t size), (file, size))
COUNTED(int, fchmod, (int file, mode_t mode), (file, mode))

static int open_by(const char* name, const char* path, int flags, mode_t mode) {
  int (*call)(const char*, int, ...) = (int (*)(const char*, int, ...))real(name);
  if ((flags & O_CREAT) != 0) (void)is_due();
  return call(path, flags, mode);
}
#define OPENED(name)                           \
  int name(const char* path, int flags, ...) { \
    va_list more;                              \
    va_start(more, flags);                     \
    const mode_t mode = va_arg(more, mode_t);  \
    va_end(more);                              \
    return open_by(#name, path, flags, mode);  \
  }
OPENED(open)
OPENED(open64)

// The n-th read and all later ones fail.
static int reads_fail(void) {
  const int now = ++reads;
  if (!is_fault("read") || now < fault_at()) return 0;
  errno = EIO;
  return 1;
}

ssize_t read(int file, void* bytes, size_t size) {
  ssize_t (*call)(int, void*, size_t) = (ssize_t(*)(int, void*, size_t))real("read");
  if (file > 2 && reads_fail()) return -1;
  return call(file, bytes, size);
}

// Streams read inside the C library, where read() above is not asked: they get a stream that reads by it.
static ssize_t cookie_read(void* stream, char* bytes, size_t size) {
  return reads_fail() ? -1 : (ssize_t)fread(bytes, 1, size, stream);
}
static int cookie_seek(void* stream, off64_t* at, int whence) {
  const int status = fseeko64(stream, *at, whence);
  *at = ftello64(stream);
  return status;
}
static int cookie_close(void* stream) { return fclose(stream); }
static FILE* open_stream(const char* name, const char* path, const char* mode) {
  FILE* (*call)(const char*, const char*) = (FILE * (*)(const char*, const char*)) real(name);
  FILE* stream = call(path, mode);
  if (stream == NULL || mode[0] != 'r' || (!is_fault("read") && !is_fault("count"))) return stream;
  const cookie_io_functions_t functions = {cookie_read, NULL, cookie_seek, cookie_close};
  return fopencookie(stream, mode, functions);
}
FILE* fopen(const char* path, const char* mode) { return open_stream("fopen", path, mode); }
FILE* fopen64(const char* path, const char* mode) { return open_stream("fopen64", path, mode); }

__attribute__((destructor)) static void report(void) {
  const char* log = getenv("SCFE_FAULT_LOG");
  FILE* file = log == NULL ? NULL : ((FILE * (*)(const char*, const char*)) real("fopen"))(log, "w");
  if (file == NULL) return;
  fprintf(file, "%d %d\n", changes, reads);
  fclose(file);
}
