// The rules of eslint that find mistakes. Undefined names are tsc's business, and the shape of lines is the author's.

const MISTAKES = [
  "array-callback-return", "constructor-super", "for-direction", "getter-return", "no-cond-assign", "no-const-assign",
  "no-constant-binary-expression", "no-constant-condition", "no-debugger", "no-dupe-class-members", "no-dupe-else-if",
  "no-dupe-keys", "no-duplicate-case", "no-duplicate-imports", "no-empty-pattern", "no-eval", "no-fallthrough",
  "no-func-assign", "no-global-assign", "no-import-assign", "no-loss-of-precision", "no-new-func", "no-redeclare",
  "no-self-assign", "no-self-compare", "no-setter-return", "no-sparse-arrays", "no-template-curly-in-string",
  "no-this-before-super", "no-unexpected-multiline", "no-unmodified-loop-condition", "no-unreachable",
  "no-unreachable-loop", "no-unsafe-finally", "no-unsafe-negation", "no-unsafe-optional-chaining", "no-unused-vars",
  "no-useless-assignment", "no-useless-catch", "no-useless-escape", "no-useless-rename", "no-var", "object-shorthand",
  "prefer-const", "use-isnan", "valid-typeof",
];

export default [
  {
    languageOptions: { ecmaVersion: 2023, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...Object.fromEntries(MISTAKES.map((name) => [name, "error"])),
      eqeqeq: ["error", "always", { null: "ignore" }],
    },
  },
];
