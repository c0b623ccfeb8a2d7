import { listDataFiles, uploadDataFile } from '@svc/contract';
import { callWithFile } from '../lib/call.ts';
import { read } from '../lib/server-state.ts';

/** Files that a data source may read. */
export const dataFiles = read(listDataFiles, {});

/** Uploads a file into the folder that data sources read. */
export const sendFile = (file: File) => callWithFile(uploadDataFile, { query: { name: file.name } }, file);
