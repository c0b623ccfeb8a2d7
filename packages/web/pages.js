import { fileURLToPath } from 'node:url';

export const pagesFolder = fileURLToPath(new URL('./dist', import.meta.url));
