// Stands between a program and the C library (LD_PRELOAD): makes the n-th operation on a file below a watched folder
// fail, and writes down every operation that did not.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NONE, OPEN, WRITE, READ, FSYNC, RENAME, CLOSE, MKDIR, LINK };
enum { SHORT = -1 };

static char watched[4096];
static int kind, error, lasting;
static long nth, seen, fired;
static char* record;
static size_t used, room;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) static __typeof__(name)* real; if (!real) real = (__typeof__(name)*)dlsym(RTLD_NEXT, #name)

// The nth operation of a kind gets `err` (SHORT: half of what was asked); all after it too if `all`. Forgets the record.
void faults_arm(const char* folder, int k, long n, int err, int all) {
    snprintf(watched, sizeof watched, "%s", folder);
    kind = k; nth = n; error = err; lasting = all;
    seen = fired = 0;
    used = 0;
}
void faults_off(void) { watched[0] = 0; kind = NONE; }
long faults_fired(void) { return fired; }
const char* faults_record(void) { return used ? record : ""; }

static int below(const char* path) {
    const size_t n = strlen(watched);
    return n && strncmp(path, watched, n) == 0 && (path[n] == '/' || path[n] == 0);
}

static int place(int fd, char* path) {
    char link[64];
    if (!watched[0]) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, 4095);
    if (n <= 0) return 0;
    path[n] = 0;
    return below(path);
}

// 0: let it pass; else the error, or SHORT.
static int due(int k) {
    int found = 0;
    pthread_mutex_lock(&lock);
    if (k == kind && (++seen == nth || (lasting && seen > nth))) { ++fired; found = error; }
    pthread_mutex_unlock(&lock);
    return found;
}

static void note(const char* what, const char* path, const char* more) {
    const int kept = errno;
    pthread_mutex_lock(&lock);
    const size_t need = used + strlen(what) + strlen(path) + strlen(more) + 4;
    if (need > room) record = realloc(record, room = 2 * need);
    used += (size_t)sprintf(record + used, "%s\t%s\t%s\n", what, path, more);
    pthread_mutex_unlock(&lock);
    errno = kept;
}

static int opened(const char* path, int flags, int fd) {
    char unnamed[4096];  // "/folder/#123 (deleted)"
    if (fd >= 0 && below(path) && flags & O_CREAT) note("create", path, "");
    if (fd >= 0 && (flags & O_TMPFILE) == O_TMPFILE && place(fd, unnamed)) note("create", unnamed, "");
    return fd;
}

#define OPENED(name)                                                       \
    int name(const char* path, int flags, ...) {                           \
        REAL(name);                                                        \
        va_list more; va_start(more, flags);                               \
        const mode_t mode = va_arg(more, mode_t); va_end(more);            \
        const int e = below(path) ? due(OPEN) : 0;                         \
        if (e > 0) { errno = e; return -1; }                               \
        return opened(path, flags, real(path, flags, mode));               \
    }                                                                      \
    int name(const char* path, int flags, ...)
OPENED(open);
OPENED(open64);

#define OPENED_AT(name)                                                    \
    int name(int folder, const char* path, int flags, ...) {               \
        REAL(name);                                                        \
        va_list more; va_start(more, flags);                               \
        const mode_t mode = va_arg(more, mode_t); va_end(more);            \
        const int e = below(path) ? due(OPEN) : 0;                         \
        if (e > 0) { errno = e; return -1; }                               \
        return opened(path, flags, real(folder, path, flags, mode));       \
    }                                                                      \
    int name(int folder, const char* path, int flags, ...)
OPENED_AT(openat);
OPENED_AT(openat64);

static void note_write(const char* path, ssize_t n) {
    char size[32];
    snprintf(size, sizeof size, "%zd", n);
    if (n > 0) note("write", path, size);
}

#define MOVED(name, types, call, what, after)                              \
    ssize_t name types {                                                   \
        REAL(name);                                                        \
        char path[4096];                                                   \
        const int in = place(fd, path), e = in ? due(what) : 0;            \
        if (e > 0) { errno = e; return -1; }                               \
        if (e == SHORT && n > 1) n /= 2;                                   \
        const ssize_t done = real call;                                    \
        if (in) after;                                                     \
        return done;                                                       \
    }
MOVED(write, (int fd, const void* data, size_t n), (fd, data, n), WRITE, note_write(path, done))
MOVED(pwrite, (int fd, const void* data, size_t n, off_t at), (fd, data, n, at), WRITE, note_write(path, done))
MOVED(pwrite64, (int fd, const void* data, size_t n, off64_t at), (fd, data, n, at), WRITE, note_write(path, done))
MOVED(read, (int fd, void* data, size_t n), (fd, data, n), READ, (void)0)
MOVED(pread, (int fd, void* data, size_t n, off_t at), (fd, data, n, at), READ, (void)0)
MOVED(pread64, (int fd, void* data, size_t n, off64_t at), (fd, data, n, at), READ, (void)0)

#define SYNCED(name)                                                       \
    int name(int fd) {                                                     \
        REAL(name);                                                        \
        char path[4096];                                                   \
        const int in = place(fd, path), e = in ? due(FSYNC) : 0;           \
        if (e > 0) { errno = e; return -1; }                               \
        const int done = real(fd);                                         \
        if (in && done == 0) note("fsync", path, "");                      \
        return done;                                                       \
    }
SYNCED(fsync)
SYNCED(fdatasync)

int close(int fd) {
    REAL(close);
    char path[4096];
    const int e = place(fd, path) ? due(CLOSE) : 0;
    const int done = real(fd);  // Linux gives the number back even if it reports an error
    if (e > 0) { errno = e; return -1; }
    return done;
}

int rename(const char* from, const char* to) {
    REAL(rename);
    const int e = below(to) ? due(RENAME) : 0;
    if (e > 0) { errno = e; return -1; }
    const int done = real(from, to);
    if (done == 0 && below(to)) note("rename", from, to);
    return done;
}

int linkat(int folder, const char* from, int other, const char* to, int flags) {
    REAL(linkat);
    char path[4096];
    const int e = below(to) ? due(LINK) : 0;
    if (e > 0) { errno = e; return -1; }
    const ssize_t n = readlink(from, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    const int done = real(folder, from, other, to, flags);
    if (done == 0 && below(to)) note("link", path, to);
    return done;
}

int mkdir(const char* path, mode_t mode) {
    REAL(mkdir);
    const int e = below(path) ? due(MKDIR) : 0;
    if (e > 0) { errno = e; return -1; }
    const int done = real(path, mode);
    if (done == 0 && below(path)) note("mkdir", path, "");
    return done;
}
