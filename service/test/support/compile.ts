import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript';
import { cached } from './cache.js';

const ingredients = ['service/src', 'service/package.json', 'service/test/support/compile.ts'];
const service = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns the path of the service's `main.js`, compiled from the current sources without type checking, which would
 * take long. WHORL_SERVICE_MAIN, if set, names a build to test instead.
 */
export async function compiledMain(): Promise<string> {
  const built = process.env.WHORL_SERVICE_MAIN;
  if (built) return built;
  const folder = await cached({ name: 'service', ingredients, make: compile });
  return join(folder, 'dist/main.js');
}

async function compile(folder: string): Promise<void> {
  await copyFile(join(service, 'package.json'), join(folder, 'package.json'));
  const compilerOptions = optionsOf(join(service, 'tsconfig.build.json'));
  const source = join(service, 'src');
  for (const name of await readdir(source, { recursive: true })) {
    if (!/\.tsx?$/.test(name)) continue;
    const fileName = join(source, name);
    const { outputText } = typescript.transpileModule(await readFile(fileName, 'utf8'), { compilerOptions, fileName });
    const target = join(folder, 'dist', name.replace(/\.tsx?$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, outputText);
  }
}

function optionsOf(path: string): typescript.CompilerOptions {
  const { config } = typescript.readConfigFile(path, typescript.sys.readFile);
  const { options } = typescript.parseJsonConfigFileContent(config, typescript.sys, dirname(path));
  // When files are transpiled one by one, NodeNext does not detect that the package uses ES modules.
  return { ...options, module: typescript.ModuleKind.ESNext };
}
