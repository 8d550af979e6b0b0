//! Figures about the running server, in the text format of Prometheus.

use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

#[derive(Default)]
pub struct Metrics {
    /// Requests by the first digit of their status.
    pub requests: [AtomicU64; 6],
    pub request_time: Histogram,
    /// Sockets that are open.
    pub sockets: AtomicI64,
    /// Messages received on sockets, and those that were refused.
    pub messages: AtomicU64,
    pub refused: AtomicU64,
    /// Matches held in memory.
    pub matches: AtomicI64,
    /// Answers taken, and the time from an answer to its delta.
    pub answers: AtomicU64,
    pub answer_time: Histogram,
}

/// Upper bounds of the buckets, in seconds.
const BOUNDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

#[derive(Default)]
pub struct Histogram {
    buckets: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl Histogram {
    pub fn record(&self, time: Duration) {
        let at = BOUNDS.iter().position(|bound| time.as_secs_f64() <= *bound).unwrap_or(BOUNDS.len());
        self.buckets[at].fetch_add(1, Relaxed);
        self.micros.fetch_add(time.as_micros() as u64, Relaxed);
    }

    fn write(&self, out: &mut String, name: &str, help: &str) {
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} histogram");
        let mut total = 0;
        for (at, bucket) in self.buckets.iter().enumerate() {
            total += bucket.load(Relaxed);
            let bound = BOUNDS.get(at).map_or_else(|| "+Inf".to_string(), f64::to_string);
            let _ = writeln!(out, "{name}_bucket{{le=\"{bound}\"}} {total}");
        }
        let _ = writeln!(out, "{name}_sum {}\n{name}_count {total}", self.micros.load(Relaxed) as f64 / 1e6);
    }
}

/// Something that is so at this moment.
pub(crate) struct Gauge {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    pub(crate) value: usize,
}

impl Metrics {
    pub fn request(&self, status: u16, time: Duration) {
        self.requests[usize::from(status / 100).min(5)].fetch_add(1, Relaxed);
        self.request_time.record(time);
    }

    /// The page at `/metrics`, with what is so at this moment.
    pub(crate) fn page(&self, now: &[Gauge]) -> String {
        let mut out = String::new();
        let mut single = |name: &str, kind: &str, help: &str, value: i64| {
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
        };
        single("trilogy_sockets", "gauge", "Sockets that are open.", self.sockets.load(Relaxed));
        single("trilogy_matches", "gauge", "Matches held in memory.", self.matches.load(Relaxed));
        single("trilogy_messages_total", "counter", "Messages received on sockets.", self.messages.load(Relaxed) as i64);
        single("trilogy_refused_total", "counter", "Messages that were refused.", self.refused.load(Relaxed) as i64);
        single("trilogy_answers_total", "counter", "Answers taken.", self.answers.load(Relaxed) as i64);
        now.iter().for_each(|gauge| single(gauge.name, "gauge", gauge.help, gauge.value as i64));
        let _ = writeln!(out, "# HELP trilogy_requests_total Requests by class of status.\n# TYPE trilogy_requests_total counter");
        for class in 1..=5 {
            let _ = writeln!(out, "trilogy_requests_total{{status=\"{class}xx\"}} {}", self.requests[class].load(Relaxed));
        }
        self.request_time.write(&mut out, "trilogy_request_seconds", "Time to answer a request.");
        self.answer_time.write(&mut out, "trilogy_answer_seconds", "Time from an answer to its delta.");
        out
    }
}
