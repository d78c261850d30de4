/**
 * The TypeScript examples of the documents, and a run of one: it passes if it ends without an error, or
 * says that it listens. A block with a title is a file of the tutorial: see read-tutorial.ts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { listFiles, readText } from './project-files.ts';

export interface Example {
  readonly document: string;
  /** A name for a file, without an extension. */
  readonly name: string;
  readonly source: string;
}

export function readExamples(): readonly Example[] {
  return listFiles()
    .filter((file) => file.endsWith('.md'))
    .flatMap((document) =>
      [...readText(document).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, source = ''], index) => ({
        document,
        name: `${document.replaceAll(/[/.]/g, '-')}-${index + 1}`,
        // A module, even without an import.
        source: `${source}\nexport {};\n`,
      })),
    );
}

export async function runExample(
  program: string,
  args: readonly string[],
  folder?: string,
): Promise<{ readonly isPassed: boolean; readonly output: string }> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (/Listening on http:\S+\n/.test(output)) child.kill('SIGTERM');
    });
  }
  const [code, signal] = await once(child, 'close');
  return { isPassed: code === 0 || signal === 'SIGTERM', output };
}
