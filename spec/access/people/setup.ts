import { but, everybody, row } from '../expectation.ts';
import { anyone, everySignedIn } from '../presets.ts';

/** First-run setup after it is closed. */
export const setupRows = [
  row(
    'GET /svc/api/setup/status',
    but(anyone, { hostPrincipal: 404 }),
    'Anonymous; it exists only while user management is on.',
  ),
  row(
    'POST /svc/api/setup/superadmin',
    but(everybody(400), { hostPrincipal: 404, mcpCaller: 'open' }),
    'Once setup is closed every request answers 400, whoever sends it.',
  ),
  row(
    'GET /svc/api/setup/roles',
    but(everySignedIn, { hostPrincipal: 404 }),
    'Anonymous only while setup is open.',
  ),
] as const;
