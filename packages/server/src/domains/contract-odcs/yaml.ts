import { brokenRule } from '../../platform/http/index.ts';
import { type JsonObject, readYaml as read, YamlError } from '../../platform/yaml/index.ts';

export { writeYaml } from '../../platform/yaml/index.ts';

/**
 * Reads a document of the standard.
 *
 * @throws Refusal 400 with the fault.
 */
export function readYaml(text: string): JsonObject {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw brokenRule('invalid-odcs-document', error.message, [{ path: '/document', message: error.why }]);
  }
}
