import hljs from 'highlight.js/lib/common';
import http from 'highlight.js/lib/languages/http';
import nginx from 'highlight.js/lib/languages/nginx';

hljs.registerLanguage('http', http);
hljs.registerLanguage('nginx', nginx);

/** Names that the docs use, beyond those that the library knows. */
hljs.registerAliases(['svelte', 'vue'], { languageName: 'xml' });
hljs.registerAliases(['jsonnet'], { languageName: 'javascript' });

/** Returns the HTML of code, with a class for each kind of word. Code in an unknown language is only escaped. */
export function highlight(code, language) {
  return hljs.getLanguage(language)
    ? hljs.highlight(code, { language, ignoreIllegals: true }).value
    : code.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
