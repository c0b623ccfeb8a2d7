import { loadConfig } from '@svc/server';
import type { CommandContext } from './database.ts';

const answerMaxMs = 10_000;

/**
 * `svc health`: asks the service on this machine whether it lives, for a container's HEALTHCHECK; with `isReady` whether
 * it can serve, database included.
 *
 * @param options.url  origin to ask instead of the configured address.
 * @returns whether it answered well.
 */
export async function askHealth(
  { env, say }: CommandContext,
  { url, isReady }: { readonly url: string | undefined; readonly isReady: boolean },
): Promise<boolean> {
  const { config } = loadConfig({ env });
  const address = config['Svc:Host:Address'].replace(/^(0\.0\.0\.0|::)$/, '127.0.0.1');
  const host = address.includes(':') ? `[${address}]` : address;
  const probe = new URL(isReady ? '/readyz' : '/livez', url ?? `http://${host}:${config['Svc:Host:Port']}`);
  try {
    const answer = await fetch(probe, { signal: AbortSignal.timeout(answerMaxMs) });
    await answer.body?.cancel();
    say(answer.ok ? 'Well.' : `Not well: ${probe.href} answers ${answer.status}.`);
    return answer.ok;
  } catch (error) {
    const { cause, message } = error as Error;
    say(`Nobody answers at ${probe.href}: ${cause instanceof Error ? cause.message : message}.`);
    return false;
  }
}
