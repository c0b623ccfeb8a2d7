import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Request that the provider received. `isClosed`: the caller closed the connection before the end of the answer. */
export type ProviderRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly isClosed: boolean;
};

/** Provider of language models in a child process, with four protocols. */
export type LlmProviderProcess = {
  /** URL such as `http://127.0.0.1:41234`. */
  readonly origin: string;
  readonly seen: () => Promise<readonly ProviderRequest[]>;
  /** Sets the next answers of the model `script`, one value per call. */
  readonly script: (...answers: readonly unknown[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts a provider. The name of the model selects the behaviour, see `llm-provider-process.ts`. */
export async function startLlmProvider(): Promise<LlmProviderProcess> {
  const child = fork(fileURLToPath(new URL('llm-provider-process.ts', import.meta.url)), { execArgv: [] });
  const [message] = await once(child, 'message');
  const origin = `http://127.0.0.1:${message.port}`;
  return {
    origin,
    seen: async () => JSON.parse(await (await fetch(`${origin}/seen`)).text()),
    script: async (...answers) => {
      const texts = answers.map((answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer)));
      await fetch(`${origin}/script`, { method: 'POST', body: JSON.stringify({ texts }) });
    },
    close: async () => {
      const isGone = once(child, 'exit');
      child.kill();
      await isGone;
    },
  };
}
