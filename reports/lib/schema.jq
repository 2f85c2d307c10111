# The version of all files that we write; another is another format. Node.js has it in reports/schema/version.js.
def version: 3;
