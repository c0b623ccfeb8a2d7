import { Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';

/** Health of the service: reports the state of the metadata database. */
export const getHealth = defineEndpoint({
  operationId: 'getHealth',
  tag: 'health',
  summary: 'Reports whether the metadata database answers within 5 seconds',
  method: 'GET',
  path: '/svc/api/health',
  responses: { 200: Type.Object({ status: Type.Literal('ok') }) },
  access: access.anonymous(),
  refusals: { 503: 'The metadata database did not answer within 5 seconds.' },
});
