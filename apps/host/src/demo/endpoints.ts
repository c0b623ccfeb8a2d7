import { setTimeout as delay } from 'node:timers/promises';
import { answeringEndpoint, type EndpointDeclaration, EndpointRefusal } from '@svc/jobs';

/** Days and price of a parcel, by country. */
const parcels: Readonly<Record<string, { readonly days: number; readonly price: number }>> = {
  HR: { days: 1, price: 4 },
  DE: { days: 2, price: 7 },
  NG: { days: 6, price: 19 },
  BR: { days: 7, price: 21 },
  JP: { days: 5, price: 17 },
};
const quantityMax = 100;
const unitsPerDay = 10;

type Restock = { readonly productId: number; readonly quantity: number };

function parseRestock(value: unknown): Restock {
  const { productId, quantity } = Object(value) as { productId?: unknown; quantity?: unknown };
  if (typeof productId !== 'number' || typeof quantity !== 'number' || quantity < 1 || quantity > quantityMax)
    throw new TypeError(`productId and quantity must be numbers; quantity is from 1 to ${quantityMax}.`);
  return { productId, quantity };
}

/** Two HTTP handlers of the demo, so that the job dashboard shows calls. They store nothing. */
export const demoEndpoints: readonly EndpointDeclaration[] = [
  answeringEndpoint({
    method: 'GET',
    route: '/demo/parcels/{country}',
    operation: 'quoteParcel',
    summary: 'Days and price of a parcel to a country',
    parse: (value) => String((Object(value) as { country?: unknown }).country).toUpperCase(),
    handler: ({ input }) => {
      const parcel = parcels[input];
      if (!parcel) throw new EndpointRefusal(404, `No parcels go to ${input}.`);
      return { country: input, ...parcel };
    },
  }),
  answeringEndpoint({
    method: 'POST',
    route: '/demo/restocks',
    operation: 'planRestock',
    summary: 'How many days a restock takes',
    parse: parseRestock,
    handler: ({ input }) => ({ ...input, days: Math.ceil(input.quantity / unitsPerDay) }),
  }),
];

const everyMs = 10_000;
const callMaxMs = 5_000;
/** Calls in order. Some are refused: a parcel to an unknown country, a restock that is too large. */
const calls = [
  ...['HR', 'DE', 'JP', 'XX', 'NG', 'BR'].map((country) => ({ path: `/demo/parcels/${country}` })),
  ...[5, 40, 500].map((quantity) => ({
    path: '/demo/restocks',
    body: JSON.stringify({ productId: quantity % 40, quantity }),
  })),
];

/** Calls the demo's handlers regularly, as a shop would. @returns a function that stops the calls. */
export function callDemoEndpoints(base: string): () => Promise<void> {
  const stop = new AbortController();
  const call = async ({ path, body }: { readonly path: string; readonly body?: string }) => {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(callMaxMs)]);
    const answer = await fetch(`${base}${path}`, {
      signal,
      // A stop of the service waits for keep-alive connections.
      headers: { connection: 'close', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body }),
    });
    await answer.arrayBuffer();
  };
  const loop = async () => {
    for (let next = 0; !stop.signal.aborted; next = (next + 1) % calls.length) {
      const present = calls[next];
      // The dashboard shows failed calls; the demo continues.
      if (present) await call(present).catch(() => undefined);
      await delay(everyMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = loop();
  return async () => {
    stop.abort();
    await running;
  };
}
