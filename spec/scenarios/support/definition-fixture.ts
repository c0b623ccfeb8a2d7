import { type RunFixture, type RunFixtureOptions, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';

type OnEnd = (close: () => Promise<void>) => void;

/** Starts a service without workers. */
export const begin = async (onEnd: OnEnd, config: RunFixtureOptions['config'] = {}): Promise<RunFixture> => {
  const fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0, ...config } });
  onEnd(fixture.close);
  return fixture;
};

/** Starts a fixture with one query and one recipient. */
export const beginSmall = async (onEnd: OnEnd, config: RunFixtureOptions['config'] = {}) => {
  const fixture = await begin(onEnd, config);
  const queryId = await fixture.addQuery('select id from orders', { name: 'Orders' });
  const recipientId = await fixture.addRecipient();
  return { fixture, queryId, recipientId };
};
