import { loadConfig } from '@svc/server';
import type { CommandContext } from './database.ts';

const answerMaxMs = 10_000;

/**
 * `svc health`: checks that the service on this machine is alive, for a container's HEALTHCHECK. `isReady` checks that
 * it can serve, including its database.
 *
 * @param options.url  origin to query instead of the configured address.
 * @returns true for a healthy response.
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
