import { type IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { addEndpointObservability } from './observer.ts';
import type { EndpointObservabilityOptions } from './options.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const route = '/viewed';

async function oneCall(
  call: { readonly status: number; readonly error?: unknown },
  configure: (options: EndpointObservabilityOptions) => void = () => undefined,
): Promise<void> {
  const observer = addEndpointObservability({ pool: fixture.pool }, configure);
  const request = { headers: {}, socket: {} } as IncomingMessage;
  const response = new ServerResponse(request);
  const begin = observer.bind({ method: 'GET', routeTemplate: route, operation: null });
  const observation = begin({ request, response, trace: { traceId: '', givenTraceId: null } });
  observation.setRequestBody('{"a":1}');
  if (call.error !== undefined) observation.setException(call.error);
  response.writeHead(call.status).end('{}');
  response.emit('close');
  await observer.stop();
}

// Column names that docs/guides/jobs.md documents for readers of the database.
const columns = [
  'id',
  'application',
  'method',
  'route_template',
  'operation',
  'machine_name',
  'group_name',
  'began_at',
  'duration_ms',
  'status_code',
  'outcome',
  'remote_ip',
  'user_agent',
  'user_name',
  'trace_id',
  'tags',
  'exception_type',
  'exception_message',
  'request_headers',
  'response_headers',
  'request_body',
  'response_body',
  'expires_at',
];

it('the view endpoint_calls contains each call as one row, with its application and expiry time', async () => {
  await oneCall({ status: 200 });
  await oneCall({ status: 500, error: new RangeError('too far') }, (options) => {
    options.applicationName = 'billing';
    options.endpointCallLogRetentionMs = 3_600_000;
    options.enrich = (_request, tags) => tags.set('colour', 'red');
  });
  const { rows } = await fixture.pool.query(
    'select * from svc_jobs.endpoint_calls where route_template = $1 order by status_code',
    [route],
  );
  expect(Object.keys(rows[0])).toEqual(columns);
  expect(rows).toMatchObject([
    { application: null, method: 'GET', status_code: 200, outcome: 'Success', exception_type: null },
    {
      application: 'billing',
      status_code: 500,
      outcome: 'Failed',
      tags: { colour: 'red' },
      exception_type: 'RangeError',
      exception_message: 'too far',
      request_body: '{"a":1}',
    },
  ]);
  const [{ began_at: week, expires_at: weekEnd }, { began_at: hour, expires_at: hourEnd }] = rows;
  expect(weekEnd - week).toBe(7 * 86_400_000);
  expect(hourEnd - hour).toBe(3_600_000);
});
