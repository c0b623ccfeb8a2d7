import { randomBytes } from 'node:crypto';
import { problemHelpPath } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { type HttpAppOptions, setPageHeaders } from '../http/index.ts';
import { helpPage } from './help-page.ts';

const nonceBytes = 16;

type Gates = Pick<HttpAppOptions, 'isSetupOpen'>;

/**
 * Serves the page that explains every problem code, one anchor each, without authentication. It needs neither the
 * built UI nor a script. While no administrator exists it redirects to the setup page, as every page does.
 */
export function helpPlugin({
  basePath,
}: {
  readonly basePath: string;
}): (app: FastifyInstance, gates: Gates) => void {
  return (app, gates) => {
    app.get(problemHelpPath, async (request, reply) => {
      if (await gates.isSetupOpen())
        return reply.header('cache-control', 'no-store').redirect('/svc/setup', 302);
      const styleNonce = randomBytes(nonceBytes).toString('base64');
      setPageHeaders(reply, { isSecure: request.svc.origin.isSecure, styleNonce });
      return reply
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(helpPage({ styleNonce, homePath: `${basePath}/svc` }));
    });
  };
}
