use std::time::Instant;
use trilogy_server::store::*;
#[tokio::main]
async fn main() {
    let dir = "/tmp/append-try";
    let _ = std::fs::remove_dir_all(dir);
    let store = Store::open(dir).await.unwrap();
    for t in 0..200 {
        let row = TableRow {
            id: format!("t{t}"),
            game: "tcg".into(),
            setup: "{}".into(),
            catalogue: "".into(),
            seats: Default::default(),
            clock: "{}".into(),
            clocks_left: [0, 0],
            private: false,
            state: r#"{"is":"playing"}"#.into(),
            created: 0,
            updated: 0,
        };
        store.create_table(&row).await.unwrap();
    }
    let a = Instant::now();
    for n in 1..=200 {
        store.append_answer("t0", n, "{\"n\":1,\"pick\":[1],\"h\":\"0123456789abcdef\"}\n").await.unwrap();
    }
    println!("sequential: {:?} each", a.elapsed() / 200);
    let a = Instant::now();
    let tasks: Vec<_> = (1..200)
        .map(|t| {
            let store = store.clone();
            tokio::spawn(async move {
                let mut worst = std::time::Duration::ZERO;
                for n in 1..=50 {
                    let b = Instant::now();
                    store.append_answer(&format!("t{t}"), n, "{\"n\":1,\"pick\":[1],\"h\":\"0123456789abcdef\"}\n").await.unwrap();
                    worst = worst.max(b.elapsed());
                }
                worst
            })
        })
        .collect();
    let mut worst = std::time::Duration::ZERO;
    for t in tasks {
        worst = worst.max(t.await.unwrap());
    }
    println!("parallel: {:.0}/s, worst {worst:?}", 199.0 * 50.0 / a.elapsed().as_secs_f64());
}
