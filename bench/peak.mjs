/**
 * Loaded into a process before its program: writes its peak memory, in KiB, to the file that BENCH_PEAK names. Not
 * process.resourceUsage(): what that says is never less than what the process had that started this one.
 */
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  const [, peak = ''] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  writeFileSync(process.env.BENCH_PEAK ?? '', peak);
});
