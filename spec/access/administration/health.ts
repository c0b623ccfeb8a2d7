import { row } from '../expectation.ts';
import { anyone } from '../presets.ts';

/** Health and the description of the API. */
export const healthRows = [
  row('GET /svc/api/health', anyone, 'Anonymous: load balancers ask it.'),
  row('GET /openapi/v1.json', anyone, 'Served once setup is complete; it describes and reveals no data.'),
  row('GET /svc/help/errors', anyone, 'The page that explains problem codes; it is the same for everybody.'),
] as const;
