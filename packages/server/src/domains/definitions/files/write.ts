import { type JsonObject, writeYaml } from '../../../platform/yaml/index.ts';
import { schemaNameOf } from '../kinds/shapes.ts';
import { type Place, pathOf } from './path.ts';

/** Writes the file of a record: the name of the format first, then the members in canonical order. */
export const writeFile = (place: Place, definition: JsonObject): { path: string; content: string } => ({
  path: pathOf(place),
  content: writeYaml({ $schema: schemaNameOf(place.kind), ...definition }),
});
