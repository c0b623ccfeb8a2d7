import type { Fixture } from '../fixture.ts';
import { fresh } from '../fresh.ts';

const files = '/svc/api/data-sources/files';
const headers = { 'content-type': 'application/octet-stream' };
const place = (ending: string) => `${files}?name=${encodeURIComponent(`${fresh('file')}${ending}`)}`;

/** Requests about files of data sources. */
export const fileRecipes = {
  [`POST ${files}`]: async () => ({ path: place('.json'), body: [], headers }),
  [`POST ${files}/preview`]: async ({ root }: Fixture) => {
    const sent = await root.post(place('.csv'), undefined, { rawBody: 'id\n1\n', headers });
    return { body: { file: { path: sent.body.path } } };
  },
};
