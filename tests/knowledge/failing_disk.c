/* Preloaded before the C library: fails chosen writes, syncs and truncations of the store's own files, and counts all. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { WRITE, SYNC, TRUNCATE };

static int armed_kind, armed_at, is_lasting, counts[3];

/* Fail call number `at` (from 1) of `kind`, and all after it if `lasting`; 0: none. */
void disk_arm(int kind, int at, int lasting) {
    armed_kind = kind, armed_at = at, is_lasting = lasting;
    memset(counts, 0, sizeof counts);
}

int disk_count(int kind) { return counts[kind]; }

static int fails(int descriptor, int kind) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (!strstr(path, "knowledge.duckdb")) return 0;
    int number = __sync_add_and_fetch(&counts[kind], 1);
    if (!armed_at || kind != armed_kind || !(number == armed_at || (is_lasting && number > armed_at))) return 0;
    errno = EIO;
    return 1;
}

#define CALL(result, kind, name, parameters, arguments)                                                        \
    result name parameters {                                                                                   \
        static result (*real) parameters;                                                                      \
        if (!real) real = (result(*) parameters)dlsym(RTLD_NEXT, #name);                                       \
        return fails(descriptor, kind) ? -1 : real arguments;                                                  \
    }

CALL(ssize_t, WRITE, write, (int descriptor, const void *bytes, size_t size), (descriptor, bytes, size))
CALL(ssize_t, WRITE, pwrite, (int descriptor, const void *bytes, size_t size, off_t at), (descriptor, bytes, size, at))
CALL(ssize_t, WRITE, pwrite64, (int descriptor, const void *bytes, size_t size, off64_t at), (descriptor, bytes, size, at))
CALL(int, SYNC, fsync, (int descriptor), (descriptor))
CALL(int, SYNC, fdatasync, (int descriptor), (descriptor))
CALL(int, TRUNCATE, ftruncate, (int descriptor, off_t size), (descriptor, size))
CALL(int, TRUNCATE, ftruncate64, (int descriptor, off64_t size), (descriptor, size))
