import { type JsonObject, writeYaml } from '../../../platform/yaml/index.ts';
import { schemaNameOf } from '../kinds/shapes.ts';
import { type Place, pathOf } from './path.ts';

/** The file of a record: the format's name first, then the members in the order of the canonical form. */
export const writeFile = (place: Place, definition: JsonObject): { path: string; content: string } => ({
  path: pathOf(place),
  content: writeYaml({ $schema: schemaNameOf(place.kind), ...definition }),
});
