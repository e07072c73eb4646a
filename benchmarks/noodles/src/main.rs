//! What noodles does as a peer of the benchmarks: `noodles-peer inflate FILE` writes the data of a BGZF file, and
//! `noodles-peer records FILE` decodes all fields of the records of a BAM file and prints how many there are.
use std::{
    env,
    fs::File,
    io::{self, BufRead, Write},
    process::ExitCode,
};

use noodles_bam as bam;
use noodles_bgzf as bgzf;

fn main() -> io::Result<ExitCode> {
    let mut words = env::args().skip(1);
    match (words.next().as_deref(), words.next()) {
        (Some("inflate"), Some(path)) => inflate(&path)?,
        (Some("records"), Some(path)) => println!("{}", count_records(&path)?),
        _ => {
            eprintln!("Usage: noodles-peer inflate|records FILE");
            return Ok(ExitCode::from(2));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn inflate(path: &str) -> io::Result<()> {
    let mut reader = bgzf::io::Reader::new(File::open(path)?);
    let mut output = io::stdout().lock();
    loop {
        // The data of a block, without a copy.
        let data = reader.fill_buf()?;
        if data.is_empty() {
            return Ok(());
        }
        output.write_all(data)?;
        let length = data.len();
        reader.consume(length);
    }
}

/// A `RecordBuf` owns its decoded fields, so that reading one decodes all.
fn count_records(path: &str) -> io::Result<usize> {
    let mut reader = bam::io::reader::Builder::default().build_from_path(path)?;
    let header = reader.read_header()?;
    let mut count = 0;
    for record in reader.record_bufs(&header) {
        record?;
        count += 1;
    }
    Ok(count)
}
