import type { EndpointCallRecord, EndpointObservabilityOptions } from '@svc/jobs';
import type { ObservedHosts } from './observed-host.ts';

export type Configure = (options: EndpointObservabilityOptions) => void;

/** Records one call with the given options. Returns its row. */
export async function oneCall(
  hosts: ObservedHosts,
  configure: Configure,
  call: { fails?: boolean; headers?: Record<string, string>; body?: string } = {},
): Promise<EndpointCallRecord> {
  const host = await hosts.start({
    configure,
    handler: () => {
      if (call.fails) throw new Error('broken');
      return { ok: true };
    },
  });
  await host.send(call.headers, call.body);
  const [row] = await host.recorded(1);
  if (!row) throw new Error('The call has no row.');
  return row;
}

/** Returns the default options, as the registration passes them to its callback. */
export async function defaultOptions(hosts: ObservedHosts): Promise<EndpointObservabilityOptions> {
  let seen: EndpointObservabilityOptions | undefined;
  await hosts.start({
    configure: (options) => {
      seen = { ...options };
    },
  });
  if (!seen) throw new Error('The callback was not called.');
  return seen;
}
