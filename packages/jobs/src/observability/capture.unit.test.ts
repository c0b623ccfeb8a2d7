import { type IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { teeResponse } from './capture.ts';

describe('a response with two observers', () => {
  it('is captured by both observers, each up to its own limit', () => {
    const response = new ServerResponse({ headers: {} } as IncomingMessage);
    const short = teeResponse(response, 3);
    const long = teeResponse(response, 100);
    response.writeHead(200, { 'x-one': '1' }).end('123456');
    expect([short.body(3), long.body(100)]).toEqual(['123', '123456']);
    expect(short.headers()).toMatchObject({ 'x-one': '1' });
  });
});
