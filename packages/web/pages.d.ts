/** Folder of the built UI: what `createSvc({ pages: { folder } })` serves under `/svc`. */
export declare const pagesFolder: string;
