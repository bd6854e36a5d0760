/**
 * Phrasings to replace: `words` as the glossary shows them, what to write instead, and the pattern that scripts/prose.mjs reports,
 * in pages, comments and messages, or in comments alone. Patterns match only phrasings that have no other meaning; a phrasing
 * without a pattern is for the reader of a change to find.
 *
 * @type {{ words: string, instead: string, pattern?: RegExp, onlyComments?: boolean }[]}
 */
export const phrases = [
  { words: 'travel', instead: 'be serialised, be supported, be sent', pattern: /\btravel(?:s|led|ling)?\b/ },
  { words: 'answer', instead: 'response, result; return, respond', pattern: /\banswer(?:s|ed|ing)?\b/ },
  {
    words: 'says, is said, is told',
    instead: 'specifies, declares, reports, shows',
    pattern: /\b(?:says|(?:is|are|was|were) (?:said|told))\b/,
  },
  { words: 'refuse, refusal', instead: 'reject, error', pattern: /\brefus(?:e|es|ed|al|als|ing)\b/ },
  {
    words: 'is no + noun',
    instead: 'is not a',
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|other\b)/,
  },
  { words: 'that is none', instead: 'that is not one; invalid', pattern: /\bthat (?:is|are) none\b/ },
  {
    words: 'stands in, at, …',
    instead: 'is in, is listed in',
    pattern: /\bstands? (?:in|at|on|there|beside|behind|before|below|above|outside)\b/,
  },
  {
    words: 'lies, lies in',
    instead: 'is in, is defined in',
    pattern: /\blies\b|\blie (?:in|at|on|there|beside|below)\b/,
  },
  { words: 'cannot hold', instead: 'cannot represent, cannot contain', pattern: /\bcannot hold\b/ },
  { words: 'in place of', instead: 'instead of', pattern: /\bin place of\b/ },
  { words: 'counts for nothing', instead: 'is unused, has no effect', pattern: /\bcounts? for nothing\b/ },
  { words: 'silent hole', instead: 'silent gap', pattern: /\bsilent holes?\b/ },
  { words: 'undeclared members', instead: 'unknown keys', pattern: /\bundeclared members\b/ },
  { words: 'the older generation', instead: 'legacy entry points', pattern: /\bolder generation\b/ },
  { words: 'who may call', instead: 'callers', pattern: /\bwho(?:m)? may call\b/ },
  { words: 'nobody, whoever', instead: 'name the caller or the reader', pattern: /\bnobody\b|\bwho(?:so)?ever\b/ },
  { words: 'fit together', instead: 'conflict; match', pattern: /\bfits? together\b/ },
  { words: 'is there, is not there', instead: 'exists; unknown, missing', pattern: /\b(?:is|are) not there\b/ },
  { words: 'of ours, of theirs', instead: 'our, that rpc-gen …', pattern: /\bof (?:ours|theirs)\b/ },
  {
    words: 'tell, said',
    instead: 'specify, distinguish, report',
    pattern: /\b(?:tells?|told|said)\b/,
    onlyComments: true,
  },
  { words: 'stand', instead: 'be in, represent', pattern: /\bstands?\b/, onlyComments: true },
  {
    words: 'is asked, is taken',
    instead: 'is called, is accepted, is read',
    pattern: /\b(?:is|are|was|were) (?:asked|taken|looked at)\b/,
    onlyComments: true,
  },
  { words: 'taken over', instead: 'reused', pattern: /\btaken over\b/, onlyComments: true },
  { words: 'hear', instead: 'receive', pattern: /\bhears?\b/, onlyComments: true },
  { words: 'hold', instead: 'contain, apply, represent', pattern: /\bholds?\b/, onlyComments: true },
  { words: 'by way of', instead: 'through, by', pattern: /\bby way of\b/, onlyComments: true },
  { words: 'what is there', instead: 'name the thing', pattern: /\bwhat is there\b/, onlyComments: true },
  {
    words: 'goes on, comes back',
    instead: 'continues; is returned',
    pattern: /\bgoes on\b|\bc[oa]mes? back\b/,
    onlyComments: true,
  },
  { words: 'as it stands', instead: 'unchanged', pattern: /\bas (?:it|they) stands?\b/, onlyComments: true },
  {
    words: 'in silence, without a word',
    instead: 'silently',
    pattern: /\bin silence\b|\bwithout a word\b/,
    onlyComments: true,
  },
  { words: 'lost (of a constraint, a key)', instead: 'dropped' },
  { words: 'revive, lower', instead: 'decode, encode' },
  { words: 'demand', instead: 'constraint' },
  { words: 'place', instead: 'location (in a source), path (in a value)' },
  { words: 'unlike, nearest', instead: 'type mismatch, best-matching branch' },
  { words: 'room, door', instead: 'directory or module, entry point' },
  { words: 'bar, stretch, floor', instead: 'target, lower bound' },
  { words: 'what …, those of … (without a noun)', instead: 'the noun: unsupported types, error details' },
]
