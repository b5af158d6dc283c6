//! The manilla binary. It must do nothing but hand over.

/// Deliveries and payments make and drop many small things in several threads at once, which the
/// allocator of the C library does not do well: see ADR 16.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    manilla::run(manilla::Registry::standard())
}
