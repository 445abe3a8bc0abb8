package programs;

import java.util.SplittableRandom;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.LexerInterpreter;
import org.antlr.v4.runtime.ParserInterpreter;
import org.antlr.v4.tool.Grammar;

/** ANTLR: threads that parse with one grammar, whose automata they build and share. */
public final class Antlr {
    private static final String GRAMMAR = "grammar Calc;\nfile : (statement ';')* EOF ;\n"
        + "statement : ID '=' expr # Set | 'if' expr 'then' statement ('else' statement)? # If | 'print' args # Print ;\n"
        + "args : expr (',' expr)* ;\nexpr : expr ('*' | '/') expr | expr ('+' | '-') expr | expr ('<' | '>' | '==') expr\n"
        + " | '(' expr ')' | ID '(' args? ')' | ID | NUMBER | '-' expr ;\nID : [a-z]+ ;\nNUMBER : [0-9]+ ('.' [0-9]+)? ;\nWS : [ \\n]+ -> skip ;\n";

    private Antlr() {
    }

    /** The arguments are threads and texts of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Grammar grammar = new Grammar(GRAMMAR);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            for (int i = 0; i < size; i++) {
                LexerInterpreter lexer = grammar.createLexerInterpreter(CharStreams.fromString(program(number * size + i)));
                ParserInterpreter parser = grammar.createParserInterpreter(new CommonTokenStream(lexer));
                digest.add(parser.parse(grammar.getRule("file").index).toStringTree(parser)).add(parser.getNumberOfSyntaxErrors());
            }
            return digest;
        });
    }

    private static String program(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            if (i % 3 == 0) {
                text.append("if ");
                expression(text, random, 2);
                text.append(" then ");
            }
            text.append(i % 5 == 0 ? "print " : "x = ");
            expression(text, random, 4);
            text.append(";\n");
        }
        return text.toString();
    }

    private static void expression(StringBuilder text, SplittableRandom random, int depth) {
        int kind = depth == 0 ? random.nextInt(2) : random.nextInt(6);
        if (kind == 0) {
            text.append((char) ('a' + random.nextInt(26)));
        } else if (kind == 1) {
            text.append(random.nextInt(1000));
        } else if (kind == 2) {
            text.append("f(");
            expression(text, random, depth - 1);
            text.append(", ");
            expression(text, random, depth - 1);
            text.append(')');
        } else {
            text.append('(');
            expression(text, random, depth - 1);
            text.append(" +*/".charAt(kind - 2));
            expression(text, random, depth - 1);
            text.append(')');
        }
    }
}
