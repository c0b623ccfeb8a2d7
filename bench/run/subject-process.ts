import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Resource usage of a subject's process since the last call. */
export type Usage = {
  readonly cpuMicros: number;
  readonly rssBytes: number;
  /** Highest resident size since the last call, sampled every few milliseconds. */
  readonly rssPeakBytes: number;
  /** Longest delay of the event loop in ms. */
  readonly loopHoldMaxMs: number;
  /** The same in processor time of the main thread, which excludes the time of other processes. */
  readonly loopHoldCpuMaxMs: number;
};

/** Message of a subject when it is ready, such as its address. */
export type Ready = Readonly<Record<string, unknown>>;

export type Order =
  | { readonly kind: 'start'; readonly config: unknown }
  | { readonly kind: 'act'; readonly input: unknown }
  | { readonly kind: 'usage' }
  | { readonly kind: 'stop' };

export type Answer =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly message: string };

const loopResolutionMs = 2;
const rssIntervalMs = 20;

/** Runs the child's side of a subject: executes start, act, usage and stop orders. Each order gets one answer, in order. */
export function runSubject<Config, Input>(
  start: (config: Config) => Promise<{
    readonly ready: Ready;
    readonly act?: (input: Input) => Promise<unknown>;
    readonly stop: () => Promise<void>;
  }>,
): void {
  let subject: Awaited<ReturnType<typeof start>> | undefined;
  let cpu = process.cpuUsage();
  const loop = monitorEventLoopDelay({ resolution: loopResolutionMs });
  loop.enable();
  const takeLoopHoldCpuMs = watchLoopCpu();

  let rssPeakBytes = 0;
  setInterval(() => {
    rssPeakBytes = Math.max(rssPeakBytes, process.memoryUsage.rss());
  }, rssIntervalMs).unref();
  const takePeak = (): number => {
    const peak = Math.max(rssPeakBytes, process.memoryUsage.rss());
    rssPeakBytes = 0;
    return peak;
  };

  const usage = (): Usage => {
    const { user, system } = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    const loopHoldMaxMs = Math.max(0, loop.max / 1e6 - loopResolutionMs);
    loop.reset();
    return {
      cpuMicros: user + system,
      rssBytes: process.memoryUsage.rss(),
      rssPeakBytes: takePeak(),
      loopHoldMaxMs,
      loopHoldCpuMaxMs: takeLoopHoldCpuMs(),
    };
  };

  const obey = async (order: Order): Promise<unknown> => {
    if (order.kind === 'start') {
      subject = await start(order.config as Config);
      return subject.ready;
    }
    if (order.kind === 'usage') return usage();
    if (order.kind === 'act') return subject?.act?.(order.input as Input);
    await subject?.stop();
    return undefined;
  };

  let previous: Promise<unknown> = Promise.resolve();
  process.on('message', (order: Order) => {
    previous = previous.then(async () => {
      let answer: Answer;
      try {
        answer = { kind: 'done', result: await obey(order) };
      } catch (error) {
        answer = {
          kind: 'failed',
          message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        };
      }
      process.send?.(answer, () => {
        if (order.kind === 'stop') process.exit(0);
      });
    });
  });
  // The parent process has ended.
  process.on('disconnect', () => process.exit(0));
}

/** Measures the processor time of the main thread between two timer ticks. Returns the maximum since the last call. */
function watchLoopCpu(): () => number {
  let last = process.threadCpuUsage();
  let maxMs = 0;
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    maxMs = Math.max(maxMs, (user + system) / 1_000);
  }, loopResolutionMs).unref();
  return () => {
    const taken = maxMs;
    maxMs = 0;
    return taken;
  };
}
