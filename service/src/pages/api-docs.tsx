/** @jsxImportSource hono/jsx */
import { errorTable } from '../errors.js';
import { errorCodes, errorGuide } from '../http/error-guide.js';
import { styles } from './api-docs-styles.js';
import { type FieldView, type OperationView, viewOf } from './document-view.js';

/** The page that shows the OpenAPI document to people: one page, without scripts. */
export function renderApiDocs(document: unknown, scriptTag: string): string {
  const { title, description, tags, operations } = viewOf(document);
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title} API</title>
        {/* As it is: the policy knows it by its hash. */}
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body>
        <header>
          <h1>{title} API</h1>
          {description.split('\n\n').map((paragraph) => (
            <p>
              <Text text={paragraph} />
            </p>
          ))}
          <p>
            The same for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
          </p>
        </header>
        <Contents tags={tags} operations={operations} />
        <main>
          {tags.map((tag) => (
            <section>
              <h2 id={tag.toLowerCase()}>{tag}</h2>
              {operations
                .filter((operation) => operation.tag === tag)
                .map((operation) => (
                  <Operation operation={operation} />
                ))}
            </section>
          ))}
          <section>
            <h2 id="script-tag">Script tag</h2>
            <pre>{scriptTag}</pre>
            <p>The file changes with the version of the service, and its integrity with it.</p>
          </section>
          <Errors />
        </main>
      </body>
    </html>
  ).toString();
}

/** Text with `code` in it. */
function Text({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}

function Contents({ tags, operations }: { tags: readonly string[]; operations: readonly OperationView[] }) {
  return (
    <nav aria-label="Contents">
      {tags.map((tag) => (
        <>
          <p>{tag}</p>
          <ul>
            {operations
              .filter((operation) => operation.tag === tag)
              .map(({ id, summary }) => (
                <li>
                  <a href={`#${id}`}>{summary}</a>
                </li>
              ))}
          </ul>
        </>
      ))}
      <ul>
        <li>
          <a href="#script-tag">Script tag</a>
        </li>
        <li>
          <a href="#errors">Errors</a>
        </li>
      </ul>
    </nav>
  );
}

const keyNames: Readonly<Record<string, string>> = { secretKey: 'a secret key', publishableKey: 'a publishable key' };

function Operation({ operation }: { operation: OperationView }) {
  const { id, method, path, summary, description, isDeprecated, keys, parameters, body, sample } = operation;
  return (
    <article>
      <h3 id={id}>
        <code>
          <span class="method">{method}</span> {path}
        </code>
      </h3>
      <p>
        {summary}. {description && <Text text={description} />}{' '}
        {isDeprecated && <strong>Deprecated: see the Link header of its answers.</strong>}
      </p>
      <p class="quiet">
        {keys.length > 0 ? `With ${keys.map((key) => keyNames[key] ?? key).join(' or ')}.` : 'Open to everyone.'}
      </p>
      <Fields title="Parameters" fields={parameters} />
      <Fields title="Body" fields={body} />
      {sample && <pre>{sample}</pre>}
      {operation.answers.length > 0 && <h4>Answer</h4>}
      {operation.answers.map((answer) => (
        <pre>{JSON.stringify(answer, null, 2)}</pre>
      ))}
      {operation.problems.length > 0 && <h4>Errors</h4>}
      <dl>
        {operation.problems.map((problem) => (
          <>
            <dt>{problem.status}</dt>
            <dd>
              <Text text={problem.description} />
            </dd>
          </>
        ))}
      </dl>
    </article>
  );
}

function Fields({ title, fields }: { title: string; fields: readonly FieldView[] }) {
  if (fields.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <dl>
        {fields.map(({ name, type, isRequired, description }) => (
          <>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <span class="quiet">
                {type}
                {isRequired ? ', required' : ''}
              </span>{' '}
              {description && <Text text={description} />}
            </dd>
          </>
        ))}
      </dl>
    </>
  );
}

function Errors() {
  return (
    <section>
      <h2 id="errors">Errors</h2>
      {errorCodes.map((code) => (
        <article>
          <h3 id={`error-${code}`}>
            {errorTable[code].status} <code>{code}</code>
          </h3>
          <p>
            {errorTable[code].title}. <Text text={errorGuide[code].meaning} /> <Text text={errorGuide[code].remedy} />
          </p>
        </article>
      ))}
    </section>
  );
}
