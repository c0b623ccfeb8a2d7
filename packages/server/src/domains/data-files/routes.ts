import * as contract from '@svc/contract';
import { bytesRoute, type Route, route } from '../../platform/http/index.ts';
import type { DataFilesService } from './service.ts';

/** Routes of files that data sources may read. An upload sends the raw bytes of the file as its body. */
export const dataFileRoutes = (service: DataFilesService, uploadBytesMax: number): Route[] => [
  route(contract.listDataFiles, () => service.list()),
  route(contract.previewDataFile, (context) => service.preview(context, context.body.file, context.signal)),
  bytesRoute(contract.uploadDataFile, Math.max(uploadBytesMax, 1), (context) => {
    const { body } = context.request;
    return service.upload(context, context.query.name, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
  }),
];
