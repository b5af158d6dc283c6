// Records what a process does to the files of one folder, for images of that folder as a power cut
// leaves them. Loaded with LD_PRELOAD; built by the suite `power_cut`, which also documents why a
// record of this kind is enough (tests/tests/power_cut/main.rs).
//
// POWER_CUT_FOLDER  the folder, as a canonical path
// POWER_CUT_LOG     the file the records are appended to; it must be outside the folder
//
// Every call is made and recorded under one lock, so the order of the records is the order of the
// effects, and a record is in the log before the call returns. Only the waiting of a flush happens
// outside the lock, between a record of its begin and a record of its end.
//
// It must not allocate and must not call what it replaces: an allocator may open and write files
// before this library is initialised. Everything here is a system call on memory of the stack.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind {
    OPEN = 1,
    WRITE = 2,
    TRUNCATE = 3,
    SYNC_BEGIN = 4,
    SYNC_END = 5,
    RENAME = 6,
    UNLINK = 7,
    LINK = 8,
    MKDIR = 9,
    RMDIR = 10,
    CLOSE = 11,
    DUP = 12,
    // A call that changes files in a way the records cannot say: the suite fails.
    UNSUPPORTED = 13,
};

// What the suite reads, in the byte order of the machine: this, two paths, the data.
struct header {
    uint32_t magic;
    uint32_t kind;
    int32_t process;
    int32_t descriptor;
    // Where a write begins, the new length of a truncation, the flags of an open, the number of a
    // flush, the new descriptor of a duplicate.
    int64_t number;
    uint64_t data_bytes;
    uint32_t path_bytes;
    uint32_t target_bytes;
};

#define MAGIC 0x54554350u
#define DESCRIPTORS_MAX 65536

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool ready = false;
static int log_descriptor = -1;
static char folder[PATH_MAX];
static size_t folder_bytes = 0;
static int64_t flushes = 0;
// Whether a descriptor is of a file in the folder. Only its owner asks.
static bool tracked[DESCRIPTORS_MAX];
static bool appends[DESCRIPTORS_MAX];

__attribute__((constructor)) static void initialise(void) {
    const char *wanted = getenv("POWER_CUT_FOLDER");
    const char *log = getenv("POWER_CUT_LOG");
    if (wanted == NULL || log == NULL || strlen(wanted) >= sizeof folder) {
        return;
    }
    folder_bytes = strlen(wanted);
    memcpy(folder, wanted, folder_bytes + 1);
    log_descriptor = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log_descriptor < 0) {
        abort();
    }
    ready = true;
}

// Appends one record. A record that is lost would make every image a lie, so that ends the process.
static void append(struct header header, const char *path, const char *target, const struct iovec *data, int parts) {
    struct iovec pieces[IOV_MAX];
    if (parts + 3 > IOV_MAX) {
        abort();
    }
    header.magic = MAGIC;
    header.process = (int32_t)syscall(SYS_getpid);
    header.path_bytes = path == NULL ? 0 : (uint32_t)strlen(path);
    header.target_bytes = target == NULL ? 0 : (uint32_t)strlen(target);
    pieces[0] = (struct iovec){&header, sizeof header};
    pieces[1] = (struct iovec){(void *)(uintptr_t)path, header.path_bytes};
    pieces[2] = (struct iovec){(void *)(uintptr_t)target, header.target_bytes};
    size_t left = header.data_bytes;
    int count = 3;
    for (int part = 0; part < parts && left > 0; part++) {
        size_t taken = data[part].iov_len < left ? data[part].iov_len : left;
        pieces[count++] = (struct iovec){data[part].iov_base, taken};
        left -= taken;
    }
    size_t whole = sizeof header + header.path_bytes + header.target_bytes + header.data_bytes;
    if (syscall(SYS_writev, log_descriptor, pieces, count) != (long)whole) {
        abort();
    }
}

static void enter(void) { pthread_mutex_lock(&lock); }

// Leaves with the error number the recorded call set.
static void leave(int number) {
    pthread_mutex_unlock(&lock);
    errno = number;
}

static bool is_tracked(int descriptor) {
    return ready && descriptor >= 0 && descriptor < DESCRIPTORS_MAX && tracked[descriptor];
}

static bool inside(const char *path) {
    return ready && strncmp(path, folder, folder_bytes) == 0 &&
           (path[folder_bytes] == '/' || path[folder_bytes] == '\0');
}

// The index of the database's log is memory, not a file that anyone flushes: it is made anew.
static bool is_index(const char *path) {
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, "-shm") == 0;
}

static void unsupported(const char *call) { append((struct header){.kind = UNSUPPORTED}, call, NULL, NULL, 0); }

// The path a descriptor was opened at.
static bool path_of(int descriptor, char *path) {
    char link[64] = "/proc/self/fd/";
    char digits[16];
    size_t count = 0, end = strlen(link);
    unsigned value = (unsigned)descriptor;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count > 0) {
        link[end++] = digits[--count];
    }
    link[end] = '\0';
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, (size_t)PATH_MAX - 1);
    if (length < 0) {
        return false;
    }
    path[length] = '\0';
    return true;
}

// A path as an absolute one.
static bool absolute(int directory, const char *path, char *result) {
    size_t length = strlen(path);
    if (path[0] == '/') {
        if (length >= PATH_MAX) {
            return false;
        }
        memcpy(result, path, length + 1);
        return true;
    }
    if (directory == AT_FDCWD ? syscall(SYS_getcwd, result, (size_t)PATH_MAX) < 0 : !path_of(directory, result)) {
        return false;
    }
    size_t start = strlen(result);
    if (start + 1 + length >= PATH_MAX) {
        return false;
    }
    result[start] = '/';
    memcpy(result + start + 1, path, length + 1);
    return true;
}

// Opening, duplicating, closing.

static int open_recorded(int directory, const char *path, int flags, mode_t mode) {
    if (!ready) {
        return (int)syscall(SYS_openat, directory, path, flags, mode);
    }
    char opened[PATH_MAX];
    enter();
    int descriptor = (int)syscall(SYS_openat, directory, path, flags, mode);
    int number = errno;
    if (descriptor >= 0 && descriptor < DESCRIPTORS_MAX) {
        bool ours = path_of(descriptor, opened) && inside(opened) && !is_index(opened);
        tracked[descriptor] = ours;
        appends[descriptor] = (flags & O_APPEND) != 0;
        if (ours) {
            if ((flags & O_DSYNC) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
                unsupported("open with O_DSYNC or O_TMPFILE");
            }
            append((struct header){.kind = OPEN, .descriptor = descriptor, .number = flags}, opened, NULL, NULL, 0);
        }
    }
    leave(number);
    return descriptor;
}

#define MODE_OF(flags)                                                                                                 \
    mode_t mode = 0;                                                                                                   \
    if (((flags) & O_CREAT) != 0 || ((flags) & O_TMPFILE) == O_TMPFILE) {                                              \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        mode = va_arg(arguments, mode_t);                                                                              \
        va_end(arguments);                                                                                             \
    }

int open(const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_recorded(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_recorded(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_recorded(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_recorded(directory, path, flags, mode);
}

int creat(const char *path, mode_t mode) { return open_recorded(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int creat64(const char *path, mode_t mode) { return open_recorded(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int descriptor) {
    if (!is_tracked(descriptor)) {
        return (int)syscall(SYS_close, descriptor);
    }
    enter();
    tracked[descriptor] = false;
    append((struct header){.kind = CLOSE, .descriptor = descriptor}, NULL, NULL, NULL, 0);
    int result = (int)syscall(SYS_close, descriptor);
    leave(errno);
    return result;
}

static void duplicated(int descriptor, int copy) {
    if (copy < 0 || copy >= DESCRIPTORS_MAX) {
        return;
    }
    tracked[copy] = is_tracked(descriptor);
    if (tracked[copy]) {
        appends[copy] = appends[descriptor];
        append((struct header){.kind = DUP, .descriptor = descriptor, .number = copy}, NULL, NULL, NULL, 0);
    }
}

static int fcntl_recorded(int descriptor, int command, long argument) {
    bool duplicates = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    if (!duplicates || !is_tracked(descriptor)) {
        return (int)syscall(SYS_fcntl, descriptor, command, argument);
    }
    enter();
    int copy = (int)syscall(SYS_fcntl, descriptor, command, argument);
    int number = errno;
    duplicated(descriptor, copy);
    leave(number);
    return copy;
}

int fcntl(int descriptor, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    long argument = va_arg(arguments, long);
    va_end(arguments);
    return fcntl_recorded(descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    long argument = va_arg(arguments, long);
    va_end(arguments);
    return fcntl_recorded(descriptor, command, argument);
}

int dup(int descriptor) { return fcntl_recorded(descriptor, F_DUPFD, 0); }

int dup3(int descriptor, int copy, int flags) {
    bool concerns = is_tracked(descriptor) || is_tracked(copy);
    if (!concerns) {
        return (int)syscall(SYS_dup3, descriptor, copy, flags);
    }
    enter();
    int result = (int)syscall(SYS_dup3, descriptor, copy, flags);
    int number = errno;
    duplicated(descriptor, result);
    leave(number);
    return result;
}

int dup2(int descriptor, int copy) {
    return descriptor == copy ? descriptor : dup3(descriptor, copy, 0);
}

// Content.

static void written(int descriptor, const struct iovec *parts, int count, int64_t offset, ssize_t bytes) {
    struct header header = {
        .kind = WRITE, .descriptor = descriptor, .number = offset, .data_bytes = (uint64_t)bytes};
    append(header, NULL, NULL, parts, count);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (!is_tracked(descriptor)) {
        return syscall(SYS_writev, descriptor, parts, count);
    }
    enter();
    ssize_t bytes = syscall(SYS_writev, descriptor, parts, count);
    int number = errno;
    if (bytes > 0) {
        // The position after the write, also where the file is one that is appended to.
        off_t end = syscall(SYS_lseek, descriptor, 0L, SEEK_CUR);
        written(descriptor, parts, count, end - bytes, bytes);
    }
    leave(number);
    return bytes;
}

ssize_t write(int descriptor, const void *data, size_t length) {
    if (!is_tracked(descriptor)) {
        return syscall(SYS_write, descriptor, data, length);
    }
    struct iovec part = {(void *)(uintptr_t)data, length};
    return writev(descriptor, &part, 1);
}

static ssize_t pwritev_recorded(int descriptor, const struct iovec *parts, int count, off_t offset) {
    if (!is_tracked(descriptor)) {
        return syscall(SYS_pwritev, descriptor, parts, count, offset, 0L);
    }
    enter();
    ssize_t bytes = syscall(SYS_pwritev, descriptor, parts, count, offset, 0L);
    int number = errno;
    if (appends[descriptor]) {
        unsupported("pwrite to a file that is appended to");
    }
    if (bytes > 0) {
        written(descriptor, parts, count, offset, bytes);
    }
    leave(number);
    return bytes;
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
    return pwritev_recorded(descriptor, parts, count, offset);
}

ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset) {
    return pwritev_recorded(descriptor, parts, count, offset);
}

ssize_t pwrite(int descriptor, const void *data, size_t length, off_t offset) {
    struct iovec part = {(void *)(uintptr_t)data, length};
    return pwritev_recorded(descriptor, &part, 1, offset);
}

ssize_t pwrite64(int descriptor, const void *data, size_t length, off64_t offset) {
    struct iovec part = {(void *)(uintptr_t)data, length};
    return pwritev_recorded(descriptor, &part, 1, offset);
}

int ftruncate(int descriptor, off_t length) {
    if (!is_tracked(descriptor)) {
        return (int)syscall(SYS_ftruncate, descriptor, length);
    }
    enter();
    int result = (int)syscall(SYS_ftruncate, descriptor, length);
    int number = errno;
    if (result == 0) {
        append((struct header){.kind = TRUNCATE, .descriptor = descriptor, .number = length}, NULL, NULL, NULL, 0);
    }
    leave(number);
    return result;
}

int ftruncate64(int descriptor, off64_t length) { return ftruncate(descriptor, length); }

int truncate(const char *path, off_t length) {
    int descriptor = open_recorded(AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
    if (descriptor < 0) {
        return -1;
    }
    int result = ftruncate(descriptor, length);
    int number = errno;
    close(descriptor);
    errno = number;
    return result;
}

int truncate64(const char *path, off64_t length) { return truncate(path, length); }

// Flushes. What was recorded before the begin is on the disk once the end is recorded.

static int flush(long call, int descriptor) {
    if (!is_tracked(descriptor)) {
        return (int)syscall(call, descriptor);
    }
    enter();
    int64_t flush_number = ++flushes;
    append((struct header){.kind = SYNC_BEGIN, .descriptor = descriptor, .number = flush_number}, NULL, NULL, NULL, 0);
    leave(errno);
    int result = (int)syscall(call, descriptor);
    int number = errno;
    if (result == 0) {
        enter();
        append((struct header){.kind = SYNC_END, .descriptor = descriptor, .number = flush_number}, NULL, NULL, NULL,
               0);
        leave(number);
    }
    errno = number;
    return result;
}

int fsync(int descriptor) { return flush(SYS_fsync, descriptor); }

int fdatasync(int descriptor) { return flush(SYS_fdatasync, descriptor); }

// Names. `sync_file_range`, `sync` and `syncfs` are not replaced: they count as no promise at all.

static void named(enum kind kind, int result, int directory, const char *path) {
    char whole[PATH_MAX];
    if (result == 0 && absolute(directory, path, whole) && inside(whole) && !is_index(whole)) {
        append((struct header){.kind = kind}, whole, NULL, NULL, 0);
    }
}

static void named_two(enum kind kind, int result, const char *from, const char *to) {
    if (result != 0 || (!inside(from) && !inside(to))) {
        return;
    }
    if (!inside(from) || !inside(to)) {
        unsupported("a name that moves into or out of the folder");
    }
    append((struct header){.kind = kind}, from, to, NULL, 0);
}

static int rename_recorded(int old_directory, const char *old, int new_directory, const char *new, unsigned flags) {
    char from[PATH_MAX] = "", to[PATH_MAX] = "";
    enter();
    bool known = ready && absolute(old_directory, old, from) && absolute(new_directory, new, to);
    int result = (int)syscall(SYS_renameat2, old_directory, old, new_directory, new, flags);
    int number = errno;
    if (known) {
        if (result == 0 && (flags & RENAME_EXCHANGE) != 0 && inside(from)) {
            unsupported("an exchange of two names");
        }
        named_two(RENAME, result, from, to);
    }
    leave(number);
    return result;
}

int rename(const char *old, const char *new) { return rename_recorded(AT_FDCWD, old, AT_FDCWD, new, 0); }

int renameat(int old_directory, const char *old, int new_directory, const char *new) {
    return rename_recorded(old_directory, old, new_directory, new, 0);
}

int renameat2(int old_directory, const char *old, int new_directory, const char *new, unsigned flags) {
    return rename_recorded(old_directory, old, new_directory, new, flags);
}

int linkat(int old_directory, const char *old, int new_directory, const char *new, int flags) {
    char from[PATH_MAX] = "", to[PATH_MAX] = "";
    enter();
    bool known = ready && absolute(old_directory, old, from) && absolute(new_directory, new, to);
    int result = (int)syscall(SYS_linkat, old_directory, old, new_directory, new, flags);
    int number = errno;
    if (known) {
        named_two(LINK, result, from, to);
    }
    leave(number);
    return result;
}

int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }

int symlinkat(const char *target, int directory, const char *path) {
    char whole[PATH_MAX];
    enter();
    int result = (int)syscall(SYS_symlinkat, target, directory, path);
    int number = errno;
    if (result == 0 && ready && absolute(directory, path, whole) && inside(whole)) {
        unsupported("a symbolic link");
    }
    leave(number);
    return result;
}

int symlink(const char *target, const char *path) { return symlinkat(target, AT_FDCWD, path); }

int unlinkat(int directory, const char *path, int flags) {
    enter();
    int result = (int)syscall(SYS_unlinkat, directory, path, flags);
    int number = errno;
    named((flags & AT_REMOVEDIR) != 0 ? RMDIR : UNLINK, result, directory, path);
    leave(number);
    return result;
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int directory, const char *path, mode_t mode) {
    enter();
    int result = (int)syscall(SYS_mkdirat, directory, path, mode);
    int number = errno;
    named(MKDIR, result, directory, path);
    leave(number);
    return result;
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

// What could change a file without a record of it.

#define REFUSED(descriptor, call)                                                                                      \
    if (is_tracked(descriptor)) {                                                                                      \
        enter();                                                                                                       \
        unsupported(call);                                                                                             \
        leave(errno);                                                                                                  \
    }

ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t length, unsigned flags) {
    REFUSED(to, "copy_file_range")
    return syscall(SYS_copy_file_range, from, from_offset, to, to_offset, length, flags);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t length) {
    REFUSED(to, "sendfile")
    return syscall(SYS_sendfile, to, from, offset, length);
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) {
    REFUSED(to, "sendfile")
    return syscall(SYS_sendfile, to, from, offset, length);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    REFUSED(descriptor, "fallocate")
    return (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
    REFUSED(descriptor, "fallocate")
    return (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
}

int posix_fallocate(int descriptor, off_t offset, off_t length) {
    REFUSED(descriptor, "posix_fallocate")
    return syscall(SYS_fallocate, descriptor, 0, offset, length) == 0 ? 0 : errno;
}

int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
    REFUSED(descriptor, "posix_fallocate")
    return syscall(SYS_fallocate, descriptor, 0, offset, length) == 0 ? 0 : errno;
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
    if ((protection & PROT_WRITE) != 0 && (flags & MAP_TYPE) != MAP_PRIVATE) {
        REFUSED(descriptor, "a writable mapping")
    }
    return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off64_t offset) {
    return mmap(address, length, protection, flags, descriptor, offset);
}
