import { DockerfileParser, Env, type Instruction } from 'dockerfile-ast';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './settings';

/** The Dockerfile, parsed. */
export const dockerfile = DockerfileParser.parse(readFileSync(path.join(ROOT, 'deploy/Dockerfile'), 'utf8'));

/** The instructions of its last stage: what the image is. */
export function finalStage(): Instruction[] {
  const start = Math.max(...dockerfile.getFROMs().map((from) => from.getRange().start.line));
  return dockerfile.getInstructions().filter((each) => each.getRange().start.line >= start);
}

/** The words of a command of the image, in exec form; HEALTHCHECK returns those of its CMD. */
export function imageCommand(keyword: 'ENTRYPOINT' | 'CMD' | 'HEALTHCHECK'): string[] {
  const found = finalStage().findLast((each) => each.getKeyword() === keyword);
  const words = /(?:^|CMD )(\[.*\])$/s.exec(found?.getRawArgumentsContent()?.trim() ?? '')?.[1];
  if (!words) throw new Error(`the Dockerfile has no ${keyword} in exec form`);
  return JSON.parse(words) as string[];
}

/** The variables that the image sets itself. */
export function imageEnvironment(): Record<string, string> {
  const properties = finalStage().flatMap((each) => (each instanceof Env ? each.getProperties() : []));
  return Object.fromEntries(properties.map((each) => [each.getName(), each.getValue() ?? '']));
}
