import * as contract from '@svc/contract';
import { answered, type Route, route } from '../../platform/http/index.ts';
import { fileNameOf } from '../../platform/tabular/index.ts';
import type { OdcsService } from './service.ts';

export const odcsRoutes = (service: OdcsService): Route[] => [
  route(contract.exportDataContract, async ({ caller, params, reply }) => {
    const { name, text } = await service.export(caller, params.id);
    const fileName = fileNameOf(name, 'odcs.yaml');
    reply
      .header('content-type', 'application/yaml; charset=utf-8')
      .header(
        'content-disposition',
        `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
      )
      .send(text);
    return answered;
  }),
  route(contract.importDataContracts, (context) => service.import(context, context.body)),
];
